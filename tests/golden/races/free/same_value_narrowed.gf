// What counts is the value that is left: 256 and 0 are the same in a byte, and 1/3 rounded is the same half.
//! out y: 0
//! out h: 0.3333
program same_value_narrowed;
out u8 y[1];
out f16 h[1];
kernel (4) workgroup(2) {
    y[0] = gid.x * 256;
    h[0] = select(gid.x == 0, 0.33333334, 0.3333);
}
