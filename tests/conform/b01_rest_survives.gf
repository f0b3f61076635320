// What a segment does not write survives it.
//! args --in s=10,20
//! out s: 1 20
//! out y: 20
//! passes 1
//! order-free yes
//! case two passes
//! args --in s=10,20 --passes 2
//! out s: 1 20
//! out y: 20
program b01;

inout u32 s[2];
out   u32 y[1];

kernel (1) workgroup(1) {
    s[0] = 1;
    grid_barrier;
    y[0] = s[1];
}
