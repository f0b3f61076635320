// On two axes the linear index is the invocation's own.
//! out y: 0 1 2 3 4 5
program two_axes;
out u32 y[6];
kernel (3, 2) workgroup(2, 2) {
    y[gid.y * 3 + gid.x] = gid.linear;
}
