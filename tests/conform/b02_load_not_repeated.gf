// A value loaded before a barrier is the old one behind it, though somebody writes the element in between.
//! args --set n=9 --in b=7
//! out y: 7 7 7 7 7 7 7 7 7
//! out z: 14 15 16 17 18 19 20 21 22
//! out b: 99
//! order-free yes
//! case one
//! args --set n=1 --in b=7
//! out y: 7
//! out z: 14
//! out b: 99
//! case a thousand
//! args --set n=1000 --in b=7
//! out b: 99
program b02;

param u32 n;
inout u32 b[1];
out   u32 y[n];
out   u32 z[n];

kernel (n) workgroup(4) {
    let v = b[0];
    let w = b[0] * 2 + gid.x;
    grid_barrier;
    if gid.x == n - 1 { b[0] = 99; }
    grid_barrier;
    y[gid.x] = v;
    z[gid.x] = w;
}
