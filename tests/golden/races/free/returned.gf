// Those that return have written before the grid barrier that the others wait at.
//! out x: 0 0 1 0
program returned;
scratch u32 y[4];
out u32 x[4];
kernel (4) workgroup(2) {
    y[gid.x] = gid.x;
    if gid.x % 2 == 1 {
        return;
    }
    grid_barrier;
    if gid.x == 2 {
        x[gid.x] = y[1];
    }
}
