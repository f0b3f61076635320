// The readers have their turn, then the writer, then the readers again.
//! out x: 9 9 9 9
program read_barrier_write;
scratch u32 y[1];
out u32 x[4];
kernel (4) workgroup(2) {
    x[gid.x] = y[0];
    grid_barrier;
    if gid.x == 3 {
        y[0] = 9;
    }
    grid_barrier;
    x[gid.x] += y[0];
}
