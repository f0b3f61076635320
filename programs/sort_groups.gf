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
const u32 HALF = 4096; // of `near`: a tile and more, so that places in it need no look
const u32 WORDS = 8; // of a lane, with two counters each
const u32 ROW = DIGITS + DIGITS / 32; // words of a row: one in 33 is left out, for the banks again

param u32 n;
param u32 groups = 660;
inout u32 key[n];
scratch u32 sorted[n];
scratch u32 count[DIGITS * min(max(groups, 1), n / TILE + 1)]; // by digit, then by workgroup
scratch u32 place[DIGITS * min(max(groups, 1), n / TILE + 1)]; // the sums of the counts before

shared u32 table[DIGITS];
shared u32 near[2 * HALF + 16]; // the keys of a tile, and once more
shared u32 tally[WORDS * ROW]; // counters, then the sums of those before
shared u32 start[DIGITS]; // of a digit in the tile
shared u32 offset[DIGITS]; // from a key's place in the tile to where it goes
shared u32 low[1]; // keys of the tile with a digit below eight

fn u32 digit(u32 k, u32 shift) {
    return (k >> shift) % DIGITS;
}

// Sorts a tile by four bits of its keys, from one half of `near` into the other.
fn sort_tile(u32 from, u32 to, u32 shift) {
    var u64 seen = 0; // four bits for each digit
    var u32 before = 0; // four bits for each of the lane's first eight keys: equal ones before it
    var u32 before_rest = 0; // the same of the others
    for i in 0 .. 8 {
        let bit = rotate_right(near[from + lid.x * EACH + i], shift - 2) & 60; // four times the digit
        before |= u32(seen >> bit) % 16 << 4 * i;
        seen += u64(1) << bit;
    }
    for i in 8 .. EACH {
        let bit = rotate_right(near[from + lid.x * EACH + i], shift - 2) & 60;
        before_rest |= u32(seen >> bit) % 16 << 4 * (i - 8);
        seen += u64(1) << bit;
    }
    let column = lid.x + lid.x / 32;
    let four = u32(seen) % 65536 | u32(seen >> 32) << 16; // of digits 0 to 3 below, 8 to 11 above
    let next_four = u32(seen >> 16) % 65536 | u32(seen >> 48) << 16;
    for w in 0 .. 4 { // a word has digit w below, w + 8 above
        tally[w * ROW + column] = four >> 4 * w & 0x000f000f;
        tally[(w + 4) * ROW + column] = next_four >> 4 * w & 0x000f000f;
    }
    barrier;
    let eight = lid.x * WORDS + lid.x / 4; // neighbours in the order of digits and, of one digit, lanes
    var u32 sum = 0;
    for w in 0 .. WORDS {
        sum += tally[eight + w];
    }
    let smaller = group_scan_add(sum);
    var u32 run = smaller;
    for w in 0 .. WORDS {
        let counted = tally[eight + w];
        tally[eight + w] = run;
        run += counted;
    }
    if lid.x == DIGITS - 1 {
        low[0] = run << 16;
    }
    barrier;
    let lower = low[0];
    for i in 0 .. EACH {
        let k = near[from + lid.x * EACH + i];
        let twice = rotate_right(k, shift - 1); // the digit from its second bit on
        let both = tally[(twice & 14) * (ROW / 2) + column] + lower;
        let first = (both >> (twice & 16)) % HALF;
        let equal = select(i < 8, before >> 4 * i, before_rest >> 4 * (i - 8)) % 16;
        near[to + first + equal] = k;
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
                if m == TILE {
                    var u32 keys[EACH]; // all of them are on their way before the first is looked at
                    for i in 0 .. EACH {
                        keys[i] = key[tile + i * DIGITS + lid.x];
                    }
                    for i in 0 .. EACH {
                        atomic_add(table[digit(keys[i], shift)], 1);
                    }
                } else {
                    for p in lid.x .. m step DIGITS {
                        atomic_add(table[digit(key[tile + p], shift)], 1);
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
            var u32 next = place[lid.x * grid_size.x + wid.x]; // where the next key of digit lid.x goes
            near[TILE + lid.x] = 0xffffffff; // behind the tile, for the search
            for tile in begin .. end step TILE {
                let m = min(TILE, end - tile);
                if m == TILE {
                    for i in 0 .. EACH {
                        near[i * DIGITS + lid.x] = key[tile + i * DIGITS + lid.x];
                    }
                } else {
                    for i in 0 .. EACH { // what is missing comes last, and stays there
                        let p = i * DIGITS + lid.x;
                        near[p] = select(p < m, key[tile + p], 0xffffffff);
                    }
                }
                barrier;
                sort_tile(0, HALF, shift);
                sort_tile(HALF, 0, shift + 4);
                var u32 below = 0; // keys with a digit below lid.x
                for b in 0 .. 12 {
                    let more = below + (HALF / 2 >> b);
                    below = select(digit(near[(more - 1) % HALF], shift) < lid.x, more, below);
                }
                start[lid.x] = below;
                offset[lid.x] = next - below;
                barrier;
                next += select(lid.x == DIGITS - 1, m, start[min(lid.x + 1, DIGITS - 1)]) - below;
                if m == TILE {
                    for i in 0 .. EACH {
                        let p = i * DIGITS + lid.x;
                        let k = near[p];
                        sorted[offset[digit(k, shift)] + p] = k;
                    }
                } else {
                    for p in lid.x .. m step DIGITS {
                        let k = near[p];
                        sorted[offset[digit(k, shift)] + p] = k;
                    }
                }
                barrier;
            }
        }
        swap(key, sorted);
    }
}
