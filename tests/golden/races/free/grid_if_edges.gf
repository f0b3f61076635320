// The edges of a grid-level if are grid barriers, and its head reads what was written before.
//! out x: 3 2 1 0
program grid_if_edges;
scratch u32 y[4];
out u32 x[4];
kernel (4) workgroup(2) {
    y[gid.x] = gid.x;
    grid if y[3] == 3 {
        x[gid.x] = y[3 - gid.x];
    }
    y[gid.x] = 0;
}
