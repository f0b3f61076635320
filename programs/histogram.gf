//! args --set n=7 --set blocks=3 --in x=1,1,2,255,0,1,7
//! out count: 1 3 1 0 0 0 0 1 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 1
//! out begin: 0 1 4 5 5 5 5 5 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6
//! order-free yes
//
// Histogram of bytes, and where each value would begin if the bytes were sorted.
//
// Shapes: x[n] of u8; count[256]; begin[256]: how many bytes are smaller. `blocks`: workgroups that share the work.
// Complexity: n, and 256 atomics per workgroup on the result.
// Algorithm: one histogram per workgroup in workgroup memory, added up at the end; see V. Podlozhnyuk: Histogram
// calculation in CUDA (2007).
program histogram;

const u32 VALUES = 256;

param u32 n;
param u32 blocks = 64;
in u8 x[n];
out u32 count[VALUES];
out u32 begin[VALUES];
shared u32 mine[VALUES];

kernel groups(blocks) workgroup(VALUES) {
    let t = lid.x;
    region "count" {
        for i in gid.x .. n step blocks * VALUES {
            atomic_add(mine[x[i]], 1);
        }
        barrier;
        atomic_add(count[t], mine[t]);
    }
    grid_barrier;
    region "scan" {
        let before = group_scan_add(count[t]);
        if wid.x == 0 {
            begin[t] = before;
        }
    }
}
