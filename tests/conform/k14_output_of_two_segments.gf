// An output written in part by one segment and in part by the next, two passes, with and without a barrier between.
//! args --set n=9
//! out y: 1 1 1 2 2 2 2 2 2
//! out z: 5 0 5 0 5 0 5 0 5
//! segments 2
//! case two passes
//! args --set n=9 --passes 2
//! out y: 1 1 1 2 2 2 2 2 2
//! out z: 5 0 5 0 5 0 5 0 5
//! case all in the first
//! args --set n=3
//! out y: 1 1 1
//! out z: 5 0 5
program k14;

param u32 n;
out   u32 y[n];
out   u32 z[n];

kernel (n) workgroup(4) {
    let v = gid.x;
    if v < 3 { y[n - 1 - v] = 1; }
    if v % 2 == 0 { z[v] = 5; }
    grid_barrier;
    let back = y[v];
    grid_barrier;
    if v < 3 { y[v] = 1; }
    if v >= 3 { y[v] = 2; }
    if back == 9 { z[v] = 9; }
}
