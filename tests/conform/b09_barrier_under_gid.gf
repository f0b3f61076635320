// The same for a loop whose bound comes from `gid`.
//! args --set n=8
//! status 1
//! error GF0304
//! stderr gid
program b09_gid;

param u32 n;
out   u32 y[n];

kernel (n) workgroup(4) {
    let times = gid.x % 3;
    for k in 0 .. times {
        y[gid.x] += 1;
        grid_barrier;
    }
}
