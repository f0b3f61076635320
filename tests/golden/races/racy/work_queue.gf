// Workers draw tasks by an atomic, but publish the task itself by a plain store that nothing orders.
//! race task publish take
program work_queue;
scratch u32 head[1];
scratch u32 task[4];
out u32 x[4];
kernel (4) workgroup(1) {
    let slot = atomic_add(head[0], 1);
    task[slot] = gid.x; // @publish
    if slot > 0 {
        x[gid.x] = task[slot - 1]; // @take
    }
}
