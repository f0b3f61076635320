// Three barriers, four segments, in order: each digit is appended by another segment, across workgroups.
//! args --set n=5
//! out y: 1234 1234 1234 1234 1234
//! segments 4
//! launches host=4
//! launches resident=4
//! order-free yes
program k04;

param   u32 n;
out     u32 y[n];
scratch u32 a[n];

kernel (n) workgroup(2) {
    let v = gid.x;
    a[v] = 1;
    grid_barrier;
    y[v] = a[n - 1 - v] * 10 + 2;
    grid_barrier;
    a[v] = y[n - 1 - v] * 10 + 3;
    grid_barrier;
    y[v] = a[n - 1 - v] * 10 + 4;
}
