// All count by atomics, and read behind a grid barrier.
//! out x: 4 4 4 4
program count_by_atomic;
scratch u32 c[1];
out u32 x[4];
kernel (4) workgroup(2) {
    atomic_add(c[0], 1);
    grid_barrier;
    x[gid.x] = c[0];
}
