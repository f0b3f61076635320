// Each touches its own element, as often as it likes.
//! out x: 1 2 3 4
program own_element;
scratch u32 y[4];
out u32 x[4];
kernel (4) workgroup(2) {
    y[gid.x] = gid.x;
    y[gid.x] += 1;
    x[gid.x] = y[gid.x];
}
