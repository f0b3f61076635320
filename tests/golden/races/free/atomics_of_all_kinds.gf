// Atomics do not race with atomics, whatever they do; store and load among them.
//! out seen: 1
program atomics_of_all_kinds;
scratch u32 y[1];
scratch u32 all[1];
out u32 seen[1];
kernel (4) workgroup(2) {
    atomic_add(y[0], 1);
    atomic_store(y[0], 3);
    atomic_max(y[0], 4);
    atomic_compare_exchange(y[0], 4, 5);
    atomic_or(all[0], atomic_load(y[0]) & 0);
    grid_barrier;
    seen[0] = u32(y[0] != 0);
}
