//! args --set n=13 --in key=5,4000000000,7,7,1,65536,300,0,2,16777216,255,256,4294967295
//! out key: 0 1 2 5 7 7 255 256 300 65536 16777216 4000000000 4294967295
//! order-free yes
//! case several chunks
//! args --set n=13 --set least=3 --in key=5,4000000000,7,7,1,65536,300,0,2,16777216,255,256,4294967295
//! out key: 0 1 2 5 7 7 255 256 300 65536 16777216 4000000000 4294967295
//! case one key
//! args --set n=1 --in key=9
//! out key: 9
//! case no keys
//! args --set n=0 --in key=fill:0
//! out key:
//
// Sorts u32 keys, 8 bits at a time from the lowest.
//
// Shapes: key[n] in and out. `chunks`: runs of keys that are handled each by one, more where a run would be longer than
// MOST; `least`: keys of a run at least.
// Complexity: four passes; each reads the keys twice and writes them once, and scans a table of 256 counts per run.
// Algorithm: least-significant-digit radix sort with a histogram, a scan and a scatter per digit, after M. Zagha, G.
// E. Blelloch: Radix sort for vector multiprocessors (Supercomputing 1991). A run is gone through in order, so a
// digit's keys keep theirs, and nothing needs an atomic. A run is first sorted in memory of its own, which a cache
// holds; then the keys of a digit, that lie side by side there and where they go, are copied at once. The key buffers
// trade names after each pass.
program sort;

const u32 BITS = 8;
const u32 DIGITS = 256; // 1 << BITS
const u32 MOST = 180224; // keys of a run: 704 KiB, less than a second cache, as long copies cost less per key
const u32 TABLES = 4; // of counts: neighbours that are equal do not wait for one another
const u32 LANES = 16; // digits that are scanned at once

param u32 n;
param u32 chunks = 256;
param u32 least = 4096;
inout u32 key[n];
scratch u32 sorted[n];
scratch u32 count[(max(chunks, 1) + n / MOST + 1) * DIGITS]; // per run and digit: keys
scratch u32 place[(max(chunks, 1) + n / MOST + 1) * DIGITS]; // keys of the digit in the runs before
scratch u32 total[DIGITS]; // keys of a digit

kernel {
    let size = min(max(n / max(chunks, 1) + 1, least), MOST);
    let runs = n / size + u32(n % size != 0);
    for pass in 0 .. 32 / BITS {
        let shift = pass * BITS;
        region "histogram" {
            forall c in 0 .. runs {
                var u32 table[TABLES * DIGITS];
                let begin = c * size;
                let end = begin + min(size, n - begin);
                let rest = end - (end - begin) % TABLES;
                for i in begin .. rest step TABLES {
                    for t in 0 .. TABLES {
                        table[t * DIGITS + (key[i + t] >> shift) % DIGITS] += 1;
                    }
                }
                for i in rest .. end {
                    table[(key[i] >> shift) % DIGITS] += 1;
                }
                for d in 0 .. DIGITS {
                    var u32 sum = 0;
                    for t in 0 .. TABLES {
                        sum += table[t * DIGITS + d];
                    }
                    count[c * DIGITS + d] = sum;
                }
            }
        }
        grid_barrier;
        region "scan" {
            forall block in 0 .. DIGITS / LANES {
                var u32 sum[LANES];
                for c in 0 .. runs {
                    let row = c * DIGITS + block * LANES;
                    for d in 0 .. LANES {
                        place[row + d] = sum[d];
                        sum[d] += count[row + d];
                    }
                }
                for d in 0 .. LANES {
                    total[block * LANES + d] = sum[d];
                }
            }
        }
        grid_barrier;
        region "scatter" {
            forall c in 0 .. runs {
                var u32 near[MOST]; // the run's keys, sorted by digit
                var u32 next[DIGITS];
                let begin = c * size;
                var u32 smaller = 0; // keys of smaller digits in the run
                for d in 0 .. DIGITS {
                    next[d] = smaller;
                    smaller += count[c * DIGITS + d];
                }
                for i in begin .. begin + min(size, n - begin) {
                    let k = key[i];
                    let d = (k >> shift) % DIGITS;
                    near[next[d]] = k;
                    next[d] += 1;
                }
                var u32 from = 0;
                var u32 first = 0; // of the digit's keys, in `sorted`
                for d in 0 .. DIGITS {
                    let to = first + place[c * DIGITS + d];
                    for i in 0 .. next[d] - from {
                        sorted[to + i] = near[from + i];
                    }
                    from = next[d];
                    first += total[d];
                }
            }
        }
        swap(key, sorted);
    }
}
