// Two halves of a workgroup array in turn, one barrier a step.
//! out x: 0 1 2 3 0 1 2 3
program double_buffer_group;
shared u32 w[8];
out u32 x[8];
kernel groups(2) workgroup(4) {
    w[lid.x] = lid.x;
    barrier;
    for t in 0 .. 4 {
        let now = t % 2 * 4;
        let next = (t + 1) % 2 * 4;
        w[next + lid.x] = w[now + (lid.x + 1) % 4];
        barrier;
    }
    x[gid.x] = w[lid.x];
}
