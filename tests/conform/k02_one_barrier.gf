// One grid barrier that orders something: two segments.
//! args --set n=7
//! out y: 60 50 40 30 20 10 0
//! segments 2
//! launches host=2
//! launches resident=2
//! order-free yes
//! passes 1
//! case one invocation
//! args --set n=1
//! out y: 0
//! case many groups
//! args --set n=33
//! out y: 320 310 300 290 280 270 260 250 240 230 220 210 200 190 180 170 160 150 140 130 120 110 100 90 80 70 60 50 40 30 20 10 0
program k02;

param   u32 n;
out     u32 y[n];
scratch u32 a[n];

kernel (n) workgroup(4) {
    let v = gid.x;
    a[v] = v * 10;
    grid_barrier;
    y[v] = a[n - 1 - v];
}
