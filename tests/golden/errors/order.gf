// GF0421: order-free?
program order;
param u32 n;
inout u32 sum[n];
inout u32 mix[n];
inout u32 used[n];
inout u32 flag[n];
inout f32 f[n];
shared u32 w[256];
kernel groups(n) {
    let v = gid.x;
    // order-free?
    atomic_add(sum[0], 1);
    atomic_sub(sum[0], 1);
    atomic_min(mix[0], v);
    atomic_max(mix[0], v);
    let old = atomic_add(used[0], 1);
    atomic_store(flag[0], 1);
    atomic_store(flag[0], 1);
    atomic_store(flag[0], 2);
    atomic_store(flag[1], v);
    atomic_add(f[0], 1.0);
    atomic_exchange(used[1], old);
    atomic_or(w[0], 1);
    barrier;
    atomic_add(w[0], 1);
    grid_barrier;
    atomic_max(sum[0], v);
}
