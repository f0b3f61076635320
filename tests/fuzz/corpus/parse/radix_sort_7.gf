// LSD radix sort of u32 keys, 8 bits a pass, stable, any n.
program radix_sort;

const u32 BITS = 8;
const u32 DIGITS = 256;                       // 1 << BITS; workgroups, lanes and digits are all this many
const u32 WORDS = 8;                          // DIGITS / 32
param   u32 n;
inout   u32 key[n];
scratch u32 tmp[n];
scratch u32 hist[DIGITS * DIGITS];            // hist[digit * DIGITS + chunk]
scratch u32 digit_total[DIGITS];
shared  u32 count[DIGITS];                    // histogram, then the running offset per digit
shared  u32 lanes[DIGITS * WORDS];            // which lanes of the tile hold this digit

fn u32 load(bool even, u32 i) {               // no swap: both buffers, everywhere
    var u32 k = 0;
    if even { k = key[i]; } else { k = tmp[i]; }
    return k;
}

kernel (DIGITS * DIGITS) workgroup(DIGITS) {
    let t = lid.x;
    let g = wid.x;
    let chunk = (n / DIGITS / DIGITS + 1) * DIGITS;
    let lo = min(g * chunk, n);
    let hi = lo + min(chunk, n - lo);

    for pass in 0 .. 32 / BITS {
        let shift = pass * BITS;
        let even = pass % 2 == 0;
        region "histogram" {
            count[t] = 0;
            barrier;
            for i in lo + t .. hi step DIGITS { atomic_add(count[(load(even, i) >> shift) % DIGITS], 1); }
            barrier;
            hist[t * DIGITS + g] = count[t];
        }
        grid_barrier;
        region "scan a digit's chunks" {      // workgroup g owns digit g, lane t owns chunk t
            let mine = hist[g * DIGITS + t];
            let before = group_scan_add(mine);
            hist[g * DIGITS + t] = before;
            if t == DIGITS - 1 { digit_total[g] = before + mine; }
        }
        grid_barrier;
        region "scatter" {
            let smaller = group_scan_add(digit_total[t]);
            count[t] = smaller + hist[t * DIGITS + g];
            for tile in lo .. hi step DIGITS {
                let i = tile + t;
                for j in 0 .. WORDS { lanes[t * WORDS + j] = 0; }
                barrier;
                var u32 k = 0;
                var u32 d = 0;
                if i < hi {
                    k = load(even, i);
                    d = (k >> shift) % DIGITS;
                    atomic_or(lanes[d * WORDS + t / 32], 1 << (t % 32));
                }
                barrier;
                if i < hi {
                    var u32 at = count[d];
                    for j in 0 .. t / 32 { at += popcount(lanes[d * WORDS + j]); }
                    at += popcount(lanes[d * WORDS + t / 32] & ((1 << (t % 32)) - 1));
                    if even { tmp[at] = k; } else { key[at] = k; }
                }
                barrier;
                for j in 0 .. WORDS { count[t] += popcount(lanes[t * WORDS + j]); }   // lane t speaks for digit t
            }
        }
    }
}
