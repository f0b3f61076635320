// Work stealing by a counter: 8 workers, N = 1000, each k done once, the counter ends at exactly 1008.
//! out wrong: 0
//! out counter: 1008
//! order-free no
program anchor19;

out     u32 wrong[1];
out     u32 counter[1];
scratch u32 y[1000];

kernel groups (8) workgroup(1) {
    var u32 k = atomic_add(counter[0], 1);
    while k < 1000 {
        y[k] += k + 1;
        k = atomic_add(counter[0], 1);
    }
    grid_barrier;
    for i in gid.x .. 1000 step 8 { if y[i] != i + 1 { atomic_add(wrong[0], 1); } }
}
