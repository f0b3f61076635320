// A queue whose slots are drawn by an atomic: the slots are different, and read behind a grid barrier.
//! out sum: 6
program queue_slots;
scratch u32 tail[1];
scratch u32 queue[4];
out u32 sum[1];
kernel (4) workgroup(2) {
    let slot = atomic_add(tail[0], 1);
    queue[slot] = gid.x;
    grid_barrier;
    atomic_add(sum[0], queue[3 - gid.x]);
}
