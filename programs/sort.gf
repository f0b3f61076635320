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
// Shapes: key[n] in and out. `chunks`: runs of keys that are handled each by one; `least`: keys of a run at least. A
// GPU wants many short runs: --set chunks=65536.
// Complexity: four passes; each reads the keys twice and writes them once, and scans a table of 256 counts per run.
// Algorithm: least-significant-digit radix sort with a histogram, a scan and a scatter per digit, after M. Zagha, G.
// E. Blelloch: Radix sort for vector multiprocessors (Supercomputing 1991). A run is gone through in order, so a
// digit's keys keep theirs, and nothing needs an atomic. The key buffers trade names after each pass.
program sort;

const u32 BITS = 8;
const u32 DIGITS = 256; // 1 << BITS

param u32 n;
param u32 chunks = 256;
param u32 least = 4096;
inout u32 key[n];
scratch u32 sorted[n];
scratch u32 place[DIGITS * max(chunks, 1)]; // per digit and run: how many keys, then how many stand before them
scratch u32 total[DIGITS]; // keys of a digit

kernel {
    let size = max(n / max(chunks, 1) + 1, max(least, 1));
    let runs = n / size + u32(n % size != 0);
    for pass in 0 .. 32 / BITS {
        let shift = pass * BITS;
        region "histogram" {
            forall c in 0 .. runs {
                var u32 count[DIGITS];
                for i in c * size .. c * size + min(size, n - c * size) {
                    count[(key[i] >> shift) % DIGITS] += 1;
                }
                for d in 0 .. DIGITS {
                    place[d * runs + c] = count[d];
                }
            }
        }
        grid_barrier;
        region "scan" {
            forall d in 0 .. DIGITS {
                var u32 sum = 0;
                for c in d * runs .. (d + 1) * runs {
                    let here = place[c];
                    place[c] = sum;
                    sum += here;
                }
                total[d] = sum;
            }
        }
        grid_barrier;
        region "scatter" {
            forall c in 0 .. runs {
                var u32 next[DIGITS];
                var u32 smaller = 0; // keys of smaller digits
                for d in 0 .. DIGITS {
                    next[d] = smaller + place[d * runs + c];
                    smaller += total[d];
                }
                for i in c * size .. c * size + min(size, n - c * size) {
                    let k = key[i];
                    let d = (k >> shift) % DIGITS;
                    sorted[next[d]] = k;
                    next[d] += 1;
                }
            }
        }
        swap(key, sorted);
    }
}
