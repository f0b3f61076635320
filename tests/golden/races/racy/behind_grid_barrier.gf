// What lies behind a grid barrier is ordered with what lies before it, not among itself.
//! race y write read
program behind_grid_barrier;
scratch u32 y[4];
out u32 x[4];
kernel (4) workgroup(2) {
    y[gid.x] = 1;
    grid_barrier;
    x[gid.x] = y[3 - gid.x]; // @read
    y[gid.x] = 2; // @write
}
