// One element is set plainly, then counted by atomics, then read plainly, with a barrier at each change.
//! out x: 14 14 14 14
program plain_then_atomic;
scratch u32 c[1];
out u32 x[4];
kernel (4) workgroup(2) {
    if gid.x == 0 {
        c[0] = 10;
    }
    grid_barrier;
    atomic_add(c[0], 1);
    grid_barrier;
    x[gid.x] = c[0];
}
