// A workgroup barrier is no split point: one segment, and it orders the workgroup. The last group is cut short.
//! args --set n=10
//! out y: 3 2 1 0 7 6 5 4 0 0
//! segments 1
//! launches host=1
//! order-free yes
program k05;

param  u32 n;
out    u32 y[n];
shared u32 w[4];

kernel (n) workgroup(4) {
    w[lid.x] = gid.x;
    barrier;
    if wid.x < n / 4 { y[gid.x] = w[3 - lid.x]; }
}
