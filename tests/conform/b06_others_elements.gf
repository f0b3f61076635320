// Elements of a workgroup array that another invocation than the one that saves them has written.
//! args
//! out y: 4 3 2 1 8 7 6 5 12 11 10 9
//! order-free yes
program b06_others;

out    u32 y[12];
shared u32 w[4];

kernel groups(3) workgroup(4) {
    w[3 - lid.x] = gid.x + 1;
    grid_barrier;
    y[gid.x] = w[lid.x];
}
