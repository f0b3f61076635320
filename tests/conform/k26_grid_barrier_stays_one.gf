// A grid barrier orders across workgroups, a workgroup barrier does not: with 32 workgroups of one the neighbour's
// value is there behind the grid barrier in each turn.
//! out wrong: 0
//! order-free yes
program k26;

out     u32 wrong[1];
scratch u32 a[32];

kernel groups (32) workgroup(1) {
    for turn in 1 .. 20 {
        a[gid.x] = turn;
        grid_barrier;
        if a[(gid.x + 31) % 32] != turn || a[(gid.x + 1) % 32] != turn { atomic_add(wrong[0], 1); }
        grid_barrier;
    }
}
