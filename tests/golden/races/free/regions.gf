// A region that holds the barrier.
//! out x: 3 2 1 0
program regions;
scratch u32 y[4];
out u32 x[4];
kernel (4) workgroup(2) {
    region "produce" {
        y[gid.x] = gid.x;
        grid_barrier;
    }
    region "consume" {
        x[gid.x] = y[3 - gid.x];
    }
}
