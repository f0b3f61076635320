//! args --set n=13 --set groups=3 --in key=5,4000000000,7,7,1,65536,300,0,2,16777216,255,256,4294967295
//! out key: 0 1 2 5 7 7 255 256 300 65536 16777216 4000000000 4294967295
//! order-free yes
//! case one key
//! args --set n=1 --in key=9
//! out key: 9
//! case no keys
//! args --set n=0 --in key=fill:0
//! out key:
//
// Sorts u32 keys, 8 bits at a time from the lowest, as GPUs like it.
//
// Shapes: key[n] in and out. `groups`: workgroups at most; each goes through a share of the keys, tile by tile, so there
// should be as many as the device holds at once.
// Complexity: four passes; each reads the keys twice and writes them once, and scans a table of 256 counts per
// workgroup.
// Algorithm: least-significant-digit radix sort with a histogram, a scan and a scatter per digit, after M. Zagha, G. E.
// Blelloch: Radix sort for vector multiprocessors (Supercomputing 1991); a tile is sorted in memory of its workgroup
// before it is scattered, twice by four bits, after N. Satish, M. Harris, M. Garland: Designing efficient sorting
// algorithms for manycore GPUs (2009). An invocation has neighbouring keys and counts their digits in a register, four
// bits for each, so that equal keys keep their order and nothing needs an atomic that gives a value. The keys of a digit
// then lie side by side, and go where they belong as runs. The key buffers trade names after each pass.
program sort_groups;

const u32 BITS = 8;
const u32 DIGITS = 256; // 1 << BITS, and lanes of a workgroup
const u32 EACH = 15; // keys of a lane in a tile: what four bits count; odd, so that lanes meet different banks of memory
const u32 TILE = EACH * DIGITS;
const u32 WORDS = 8; // of a lane, with two counters each
const u32 ROW = DIGITS + DIGITS / WORDS; // words of a row: one in nine is left out, for the banks again

param u32 n;
param u32 groups = 640;
inout u32 key[n];
scratch u32 sorted[n];
scratch u32 count[DIGITS * min(max(groups, 1), n / TILE + 1)]; // by digit, then by workgroup
scratch u32 place[DIGITS * min(max(groups, 1), n / TILE + 1)]; // the sums of the counts before

shared u32 table[DIGITS];
shared u32 near[2 * TILE]; // the keys of a tile, and once more
shared u32 tally[WORDS * ROW]; // counters, then the sums of those before
shared u32 next[DIGITS]; // where the next key of a digit goes
shared u32 offset[DIGITS]; // from a key's place in the tile to that
shared u32 low[1]; // keys of the tile with a digit below eight

fn u32 word(u32 row, u32 lane) {
    return row * ROW + lane + lane / WORDS;
}

// Sorts a tile by four bits of its keys, from one half of `near` into the other.
fn sort_tile(u32 from, u32 to, u32 shift) {
    var u64 seen = 0; // four bits for each digit
    var u64 before = 0; // four bits for each of the lane's keys: equal ones before it
    for i in 0 .. EACH {
        let bit = 4 * ((near[from + lid.x * EACH + i] >> shift) % 16);
        before |= (seen >> bit) % 16 << 4 * i;
        seen += u64(1) << bit;
    }
    for w in 0 .. WORDS { // digit w below, w + 8 above
        tally[word(w, lid.x)] = u32(seen >> 4 * w) % 16 | u32(seen >> 4 * w + 32) % 16 << 16;
    }
    barrier;
    var u32 sum = 0; // of eight neighbours in the order of digits and, of one digit, lanes
    for w in 0 .. WORDS {
        sum += tally[lid.x * (WORDS + 1) + w];
    }
    let smaller = group_scan_add(sum);
    var u32 run = smaller;
    for w in 0 .. WORDS {
        let counted = tally[lid.x * (WORDS + 1) + w];
        tally[lid.x * (WORDS + 1) + w] = run;
        run += counted;
    }
    if lid.x == DIGITS - 1 {
        low[0] = run % 65536;
    }
    barrier;
    let lower = low[0];
    for i in 0 .. EACH {
        let k = near[from + lid.x * EACH + i];
        let d = (k >> shift) % 16;
        let both = tally[word(d % WORDS, lid.x)];
        let first = select(d < WORDS, both % 65536, (both >> 16) + lower);
        near[to + first + u32(before >> 4 * i) % 16] = k;
    }
    barrier;
}

kernel groups(min(max(groups, 1), n / TILE + 1)) workgroup(256) {
    let tiles = n / TILE + u32(n % TILE != 0);
    let share = tiles / grid_size.x + u32(tiles % grid_size.x != 0);
    let begin = select(wid.x * share < tiles, wid.x * share * TILE, n);
    let end = select((wid.x + 1) * share < tiles, (wid.x + 1) * share * TILE, n);
    for pass in 0 .. 32 / BITS {
        let shift = pass * BITS;
        region "histogram" {
            table[lid.x] = 0;
            barrier;
            for tile in begin .. end step TILE {
                let m = min(TILE, end - tile);
                var u32 keys[EACH]; // all of them are on their way before the first is looked at
                for i in 0 .. EACH {
                    let p = i * DIGITS + lid.x;
                    keys[i] = select(p < m, key[tile + p], 0);
                }
                for i in 0 .. EACH {
                    if i * DIGITS + lid.x < m {
                        atomic_add(table[(keys[i] >> shift) % DIGITS], 1);
                    }
                }
            }
            barrier;
            count[lid.x * grid_size.x + wid.x] = table[lid.x];
        }
        grid_barrier;
        region "scan" {
            let smaller = grid_scan_add(count[gid.x]);
            place[gid.x] = smaller;
        }
        grid_barrier;
        region "scatter" {
            next[lid.x] = place[lid.x * grid_size.x + wid.x];
            for tile in begin .. end step TILE {
                let m = min(TILE, end - tile);
                for i in 0 .. EACH { // what is missing comes last, and stays there
                    let p = i * DIGITS + lid.x;
                    near[p] = select(p < m, key[tile + p], 0xffffffff);
                }
                barrier;
                sort_tile(0, TILE, shift);
                sort_tile(TILE, 0, shift + 4);
                for i in 0 .. EACH {
                    let p = i * DIGITS + lid.x;
                    let d = (near[p] >> shift) % DIGITS;
                    if p < m && (p == 0 || (near[max(p, 1) - 1] >> shift) % DIGITS != d) {
                        offset[d] = next[d] - p;
                    }
                }
                barrier;
                for i in 0 .. EACH {
                    let p = i * DIGITS + lid.x;
                    let k = near[p];
                    let d = (k >> shift) % DIGITS;
                    if p < m {
                        let to = offset[d] + p;
                        sorted[to] = k;
                        if p + 1 == m || (near[min(p + 1, TILE - 1)] >> shift) % DIGITS != d {
                            next[d] = to + 1;
                        }
                    }
                }
                barrier;
            }
        }
        swap(key, sorted);
    }
}
