// Two halves in turn, one grid barrier a step.
//! out x: 0 1 2 3
program double_buffer;
scratch u32 a[8];
out u32 x[4];
kernel (4) workgroup(2) {
    a[gid.x] = gid.x;
    grid_barrier;
    for t in 0 .. 4 {
        let now = t % 2 * 4;
        let next = (t + 1) % 2 * 4;
        a[next + gid.x] = a[now + (gid.x + 1) % 4];
        grid_barrier;
    }
    x[gid.x] = a[gid.x];
}
