// Barriers first, last and twice in a row: as without, and no empty launches.
//! args --set n=5
//! out y: 4 3 2 1 0
//! segments 2
//! launches host=2
//! launches resident=2
//! order-free yes
program b12;

param   u32 n;
out     u32 y[n];
scratch u32 a[n];

kernel (n) workgroup(2) {
    grid_barrier;
    grid_barrier;
    a[gid.x] = gid.x;
    grid_barrier;
    { grid_barrier; }
    region "nothing" { grid_barrier; }
    y[gid.x] = a[n - 1 - gid.x];
    grid_barrier;
    grid_barrier;
}
