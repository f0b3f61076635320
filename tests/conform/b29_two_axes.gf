// In a space of two axes `gid.x` is not the invocation's own element: both barriers stay.
//! args --set n=5 --set m=3
//! out y: 3 5 7 9 11
//! dropped 0
//! segments 3
//! order-free yes
program b29_axes;

param   u32 n;
param   u32 m;
out     u32 y[n];
scratch u32 a[n];
scratch u32 b[n];

kernel (n, m) workgroup(2, 2) {
    a[gid.x] = gid.x + 1;
    grid_barrier;
    b[gid.x] = a[gid.x] * 2;
    grid_barrier;
    y[gid.x] = b[gid.x] + 1;
}
