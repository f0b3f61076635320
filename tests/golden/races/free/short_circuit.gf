// Neither is what `&&` does not come to.
//! out x: 0 1 1 1
program short_circuit;
scratch u32 y[4];
out u32 x[4];
kernel (4) workgroup(2) {
    if gid.x > 0 {
        y[gid.x] = 1;
    }
    x[gid.x] = u32(gid.x > 0 && y[max(gid.x, 1)] == 1);
}
