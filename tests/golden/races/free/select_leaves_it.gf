// What select does not take is not read.
//! out x: 0 0 0 0
program select_leaves_it;
scratch u32 y[4];
out u32 x[4];
kernel (4) workgroup(2) {
    y[gid.x] = 1;
    x[gid.x] = select(gid.x > 9, y[3 - gid.x], 0);
}
