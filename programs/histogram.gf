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
// Shapes: x[n] of u8; count[256]; begin[256]: how many bytes are smaller. `blocks`: workgroups that share the work.
// Complexity: n, and 256 atomics per workgroup on the result.
// Algorithm: histograms in workgroup memory, added up at the end; see V. Podlozhnyuk: Histogram calculation in CUDA
// (2007). A workgroup has TABLES of them, so that neighbours that are equal seldom wait for one another. It goes
// through bytes that lie side by side, together: `group for`.
program histogram;

const u32 VALUES = 256; // and lanes
const u32 TABLES = 4;

param u32 n;
param u32 blocks = 256;
in u8 x[n];
out u32 count[VALUES];
out u32 begin[VALUES];
shared u32 mine[TABLES * VALUES];

kernel groups(blocks) workgroup(VALUES) {
    let t = lid.x;
    let tiles = n / VALUES + u32(n % VALUES != 0);
    let share = tiles / blocks + u32(tiles % blocks != 0);
    let from = min(wid.x * share, tiles);
    region "count" {
        let table = t % TABLES * VALUES;
        group for tile in from .. min(from + share, tiles) {
            let i = tile * VALUES + t;
            if i < n {
                atomic_add(mine[table + x[i]], 1);
            }
        }
        var u32 sum = 0;
        for k in 0 .. TABLES {
            sum += mine[k * VALUES + t];
        }
        if sum != 0 {
            atomic_add(count[t], sum);
        }
    }
    grid_barrier;
    region "scan" {
        let before = group_scan_add(count[t]);
        if wid.x == 0 {
            begin[t] = before;
        }
    }
}
