// A workgroup barrier where a grid barrier was meant: the mirror of an array crosses workgroups.
//! stderr GF0322
//! race a write read
program barrier_for_grid_barrier;
scratch u32 a[16];
out u32 b[16];
kernel (16) workgroup(4) {
    a[gid.x] = gid.x; // @write
    barrier;
    b[gid.x] = a[15 - gid.x]; // @read
}
