// A stencil along z across workgroups, with a grid barrier.
//! out b: 1 1 1 1 2 2 2 2 3 3 3 3 0 0 0 0
program three_axes;
scratch u32 a[16];
out u32 b[16];
kernel (2, 2, 4) workgroup(2, 2, 2) {
    a[gid.linear] = gid.z;
    grid_barrier;
    b[gid.linear] = a[(gid.linear + 4) % 16];
}
