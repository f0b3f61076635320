// `a` is read at the neighbour's place two barriers later: one of the two stays.
//! args --set n=6
//! out y: 11 12 13 14 15 0
//! out b: 1 1 1 1 1 1
//! dropped 1
//! segments 2
//! order-free yes
//! races no
program b29;

param   u32 n;
out     u32 b[n];
out     u32 y[n];
scratch u32 a[n];

kernel (n) workgroup(2) {
    a[gid.x] = gid.x + 10;
    grid_barrier;
    b[gid.x] = 1;
    grid_barrier;
    y[gid.x] = a[gid.x + 1];
}
