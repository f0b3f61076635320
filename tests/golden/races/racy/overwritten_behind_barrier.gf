// The first workgroup stores 1, then behind a barrier 2; the second stores 2 too, and races with the 1.
//! race y one other
program overwritten_behind_barrier;
scratch u32 y[1];
kernel groups(2) workgroup(2) {
    if gid.x == 0 {
        y[0] = 1; // @one
    }
    barrier;
    if gid.x == 1 {
        y[0] = 2;
    }
    barrier;
    if gid.x == 2 {
        y[0] = 2; // @other
    }
}
