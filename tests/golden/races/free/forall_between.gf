// Workgroups go on behind a forall where they were: their barrier before it still orders.
//! out x: 1 0 3 2
program forall_between;
scratch u32 y[4];
scratch u32 z[4];
out u32 x[4];
kernel groups(2) workgroup(2) {
    y[gid.x] = gid.x;
    barrier;
    forall i in 0 .. 4 {
        z[i] = i;
    }
    x[gid.x] = y[gid.x ^ 1];
}
