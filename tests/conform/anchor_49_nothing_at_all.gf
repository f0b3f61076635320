// n = 0 with three barriers and a buffer of no bytes: fine, nothing written.
//! args --set n=0 --in x=fill:0
//! out x:
//! out y: 0
//! passes 1
program anchor49;

param u32 n;
inout u32 x[n];
out   u32 y[1];

kernel (n) workgroup(64) {
    x[gid.x] = 1;
    grid_barrier;
    atomic_add(y[0], x[n - 1 - gid.x]);
    grid_barrier;
    x[n - 1 - gid.x] = 2;
    grid_barrier;
    atomic_add(y[0], x[gid.x]);
}
