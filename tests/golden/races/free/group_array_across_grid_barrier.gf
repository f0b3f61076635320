// A workgroup array keeps its contents across a grid barrier, which orders it too.
//! out x: 1 0 3 2
program group_array_across_grid_barrier;
shared u32 w[2];
out u32 x[4];
kernel groups(2) workgroup(2) {
    w[lid.x] = gid.x;
    grid_barrier;
    x[gid.x] = w[1 - lid.x];
}
