// Silent: one operation a stretch, whose result nobody uses.
program order_free;
param u32 n;
inout u32 sum[n];
inout u32 best[n];
kernel (n) {
    let v = gid.x;
    // order-free?
    for i in 0 .. 3 {
        atomic_add(sum[i], v);
        atomic_max(best[i], v);
        grid_barrier;
        atomic_min(best[i], atomic_load(sum[i]));
        grid_barrier;
    }
}
