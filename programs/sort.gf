//! args --set n=13 --in key=5,4000000000,7,7,1,65536,300,0,2,16777216,255,256,4294967295
//! out key: 0 1 2 5 7 7 255 256 300 65536 16777216 4000000000 4294967295
//! order-free yes
//! case one key
//! args --set n=1 --in key=9
//! out key: 9
//! case no keys
//! args --set n=0 --in key=fill:0
//! out key:
//
// Sorts u32 keys, stable, 8 bits at a time from the lowest.
//
// Shapes: key[n] in and out.
// Complexity: four passes; each reads the keys twice and writes them once, and scans a table of 256 x 256 counts.
// Algorithm: least-significant-digit radix sort with a histogram, a scan and a scatter per digit, after M. Zagha,
// G. E. Blelloch: Radix sort for vector multiprocessors (Supercomputing 1991). 256 workgroups own a chunk of the keys
// each; inside a tile of 256 keys a key's rank among equal digits is counted on bit masks. The key buffers trade names
// after each pass.
program sort;

const u32 BITS = 8;
const u32 DIGITS = 256; // 1 << BITS; workgroups, lanes and digits are all this many
const u32 WORDS = 8; // DIGITS / 32

param u32 n;
inout u32 key[n];
scratch u32 sorted[n];
scratch u32 hist[DIGITS * DIGITS]; // hist[digit * DIGITS + chunk]
scratch u32 total[DIGITS]; // keys per digit
shared u32 count[DIGITS]; // a chunk's histogram, then its next free place per digit
shared u32 lanes[DIGITS * WORDS]; // which lanes of the tile hold this digit

kernel groups(DIGITS) workgroup(DIGITS) {
    let t = lid.x;
    let g = wid.x;
    let chunk = (n / DIGITS / DIGITS + 1) * DIGITS;
    let lo = min(g * chunk, n);
    let hi = lo + min(chunk, n - lo);
    for digit in 0 .. 32 / BITS {
        let shift = digit * BITS;
        region "histogram" {
            count[t] = 0;
            barrier;
            for i in lo + t .. hi step DIGITS {
                atomic_add(count[(key[i] >> shift) % DIGITS], 1);
            }
            barrier;
            hist[t * DIGITS + g] = count[t];
        }
        grid_barrier;
        region "scan" { // workgroup g owns digit g, lane t owns chunk t
            let mine = hist[g * DIGITS + t];
            let before = group_scan_add(mine);
            hist[g * DIGITS + t] = before;
            if t == DIGITS - 1 {
                total[g] = before + mine;
            }
        }
        grid_barrier;
        region "scatter" {
            let smaller = group_scan_add(total[t]);
            count[t] = smaller + hist[t * DIGITS + g];
            for tile in lo .. hi step DIGITS {
                let i = tile + t;
                for j in 0 .. WORDS {
                    lanes[t * WORDS + j] = 0;
                }
                barrier;
                var u32 k = 0;
                var u32 d = 0;
                if i < hi {
                    k = key[i];
                    d = (k >> shift) % DIGITS;
                    atomic_or(lanes[d * WORDS + t / 32], 1 << t % 32);
                }
                barrier;
                if i < hi {
                    var u32 at = count[d];
                    for j in 0 .. t / 32 {
                        at += popcount(lanes[d * WORDS + j]);
                    }
                    at += popcount(lanes[d * WORDS + t / 32] & (1 << t % 32) - 1);
                    sorted[at] = k;
                }
                barrier;
                for j in 0 .. WORDS { // lane t speaks for digit t
                    count[t] += popcount(lanes[t * WORDS + j]);
                }
            }
        }
        swap(key, sorted);
    }
}
