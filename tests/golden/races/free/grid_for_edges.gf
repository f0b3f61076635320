// Bounds of a grid-level for are read once, on entry.
//! out y: 6 6 6 6
program grid_for_edges;
out u32 y[4];
kernel (4) workgroup(2) {
    y[gid.x] = 3;
    grid for i in 0 .. y[3] {
        y[(gid.x + i) % 4] += 1;
    }
}
