// if l > 7 return, then the global id behind a barrier: element 0 is touched, each by its own invocation.
//! out y: 1 2 3 4 5 6 7 8 0 0 11 12 13 14 15 16 17 18 0 0 21 22 23 24 25 26 27 28 0 0
//! order-free yes
program anchor25;

out     u32 y[30];
scratch u32 t[30];

kernel groups (3) workgroup(10) {
    if lid.x > 7 { return; }
    t[(gid.x + 10) % 30] = gid.x + 1;
    grid_barrier;
    y[gid.x] = t[(gid.x + 10) % 30];
}
