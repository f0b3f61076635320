// A collective is a grid barrier.
//! out x: 3 2 1 0
program collective;
scratch u32 y[4];
scratch u32 z[4];
out u32 x[4];
kernel (4) workgroup(2) {
    y[gid.x] = gid.x;
    all_gather(y, z);
    x[gid.x] = z[3 - gid.x];
}
