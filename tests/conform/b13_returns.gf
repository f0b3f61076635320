// `returns(a .. b)` of an output that two segments write: that range, with the values of both.
//! out y: 30
//! out z: 2 3 104
//! segments 2
//! case two passes
//! args --passes 2
//! out y: 30
//! out z: 2 3 104
program b13;

const u32 LO = 2;
out u32 y[3] returns(1 .. 2);
out u32 z[8] returns(LO .. LO + 3);
out u32 w[8];

kernel (8) workgroup(3) {
    let v = gid.x;
    if v == 2 { y[1] = 10; y[0] = 5; }
    if v < 5 { z[v] = v; }
    w[7 - v] = v;
    grid_barrier;
    if v == 0 { y[1] = y[1] * 3; y[2] = 9; }
    if v >= 4 { z[v] = 100 + w[7 - v]; }
}
