// One grid barrier in a loop of the grid: the back edge is another.
//! out x: 3 3 3 3
program back_edge_grid;
scratch u32 y[4];
out u32 x[4];
kernel (4) workgroup(2) {
    for t in 0 .. 3 {
        y[gid.x] = t;
        grid_barrier;
        x[gid.x] += y[3 - gid.x];
    }
}
