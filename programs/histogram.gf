//! args --set n=7 --set blocks=3 --in x=1,1,2,255,0,1,7
//! out count: 1 3 1 0 0 0 0 1 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 1
//! out begin: 0 1 4 5 5 5 5 5 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6
//! order-free yes
//! case no bytes
//! args --set n=0 --set blocks=2 --in x=fill:0
//! out count: 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
//
// Histogram of bytes, and where each value would begin if the bytes were sorted.
//
// Shapes: x[n] of u8; count[256]; begin[256]: how many bytes are smaller. `blocks`: parts of x that are counted each by
// one.
// Complexity: n, and 256 per block.
// Algorithm: a histogram of each block, added up at the end; see V. Podlozhnyuk: Histogram calculation in CUDA (2007).
// A block has TABLES of them: neighbours that are equal do not wait for one another.
program histogram;

const u32 VALUES = 256;
const u32 TABLES = 8;

param u32 n;
param u32 blocks = 256;
in u8 x[n];
out u32 count[VALUES];
out u32 begin[VALUES];
scratch u32 found[max(blocks, 1) * VALUES]; // per block

kernel {
    let size = n / max(blocks, 1) + 1;
    let used = n / size + u32(n % size != 0);
    region "count" {
        forall b in 0 .. used {
            var u32 table[TABLES * VALUES];
            let first = b * size;
            let end = first + min(size, n - first);
            let rest = end - (end - first) % TABLES;
            for i in first .. rest step TABLES {
                for t in 0 .. TABLES {
                    table[t * VALUES + x[i + t]] += 1;
                }
            }
            for i in rest .. end {
                table[x[i]] += 1;
            }
            for v in 0 .. VALUES {
                var u32 sum = 0;
                for t in 0 .. TABLES {
                    sum += table[t * VALUES + v];
                }
                found[b * VALUES + v] = sum;
            }
        }
    }
    grid_barrier;
    region "add" {
        forall v in 0 .. VALUES {
            var u32 sum = 0;
            for b in 0 .. used {
                sum += found[b * VALUES + v];
            }
            count[v] = sum;
        }
    }
    grid_barrier;
    region "scan" {
        var u32 sum = 0;
        for v in 0 .. VALUES {
            begin[v] = sum;
            sum += count[v];
        }
    }
}
