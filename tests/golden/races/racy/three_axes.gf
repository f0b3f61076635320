// A stencil along z across workgroups, with a barrier of the workgroup.
//! race a write read
program three_axes;
scratch u32 a[16];
out u32 b[16];
kernel (2, 2, 4) workgroup(2, 2, 2) {
    a[gid.linear] = gid.z; // @write
    barrier;
    b[gid.linear] = a[(gid.linear + 4) % 16]; // @read
}
