// A variable assigned under a divergent `if` in a middle segment, and a workgroup array written in part there: the rest
// keeps its old values.
//! args --set groups=3
//! out y: 1000 501 502 1003 504 505 1006 507 508 1009 510 511
//! out z: 3 2 7 0 13 12 11 10 23 22 7 20
//! segments 3
//! order-free yes
program b40;

param   u32 groups;
out     u32 y[groups * 4];
out     u32 z[groups * 4];
scratch u32 a[groups * 4];
shared  u32 w[4];

kernel groups (groups) workgroup(4) {
    let n = groups * 4;
    let v = gid.x;
    var u32 s = 500 + v;
    w[lid.x] = wid.x * 10 + lid.x;
    a[n - 1 - v] = v;
    grid_barrier;
    if v % 3 == 0 { s = 1000 + n - 1 - a[v]; }
    if lid.x == 1 && wid.x != 1 { w[1] = 7; }
    grid_barrier;
    a[n - 1 - v] = 0;
    y[v] = s;
    z[v] = w[3 - lid.x];
}
