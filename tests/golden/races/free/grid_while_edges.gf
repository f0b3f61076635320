// So are the turns of a grid-level while.
//! out y: 4 4 4 4
program grid_while_edges;
out u32 y[4];
kernel (4) workgroup(2) {
    grid while y[0] < 4 {
        y[(gid.x + y[gid.x] * 0) % 4] += 1;
    }
}
