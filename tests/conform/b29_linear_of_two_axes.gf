// `gid.linear` is: both go.
//! args --set n=5 --set m=3
//! out y: 3 5 7 9 11 13 15 17 19 21 23 25 27 29 31
//! dropped 2
//! segments 1
//! order-free yes
program b29_linear;

param   u32 n;
param   u32 m;
out     u32 y[n * m];
scratch u32 a[n * m];
scratch u32 b[n * m];

kernel (n, m) workgroup(2, 2) {
    a[gid.linear] = gid.linear + 1;
    grid_barrier;
    b[gid.linear] = a[gid.linear] * 2;
    grid_barrier;
    y[gid.linear] = b[gid.linear] + 1;
}
