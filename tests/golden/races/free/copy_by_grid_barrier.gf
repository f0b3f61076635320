// A grid barrier completes a copy that nobody waits for.
//! args --in z=5,6,7,8
//! out x: 8 7 6 5
program copy_by_grid_barrier;
in u32 z[4];
scratch u32 y[4];
out u32 x[4];
kernel (4) workgroup(2) {
    if gid.x == 3 {
        copy_async(y, 0, z, 0, 4, fetch);
    }
    grid_barrier;
    x[gid.x] = y[3 - gid.x];
}
