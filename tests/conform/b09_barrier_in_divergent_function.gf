// A function with a grid barrier may be called only at grid level: not under a condition that differs.
//! args --set n=8
//! status 1
//! error GF0303
program b09_function;

param u32 n;
out   u32 y[n];

fn meet(u32 v) {
    y[v] = 1;
    grid_barrier;
}

kernel (n) workgroup(4) {
    if gid.x < 4 { meet(gid.x); }
}
