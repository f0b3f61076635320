// The mirror of an array, with the barrier that it wants.
//! out b: 15 14 13 12 11 10 9 8 7 6 5 4 3 2 1 0
program mirror_by_grid_barrier;
scratch u32 a[16];
out u32 b[16];
kernel (16) workgroup(4) {
    a[gid.x] = gid.x;
    grid_barrier;
    b[gid.x] = a[15 - gid.x];
}
