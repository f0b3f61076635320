// Silent: the same with a grid barrier, and a barrier for one's own workgroup.
program strong_barrier;
inout u32 a[4096];
out u32 b[4096];
kernel (4096) workgroup(64) {
    let i = gid.x;
    a[i] = i;
    barrier;
    let own = a[wid.x * 64 + 63 - lid.x];
    grid_barrier;
    b[i] = a[4095 - i] + own;
}
