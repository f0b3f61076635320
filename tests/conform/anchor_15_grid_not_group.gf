// 64 groups of 64: a[i] = i; grid barrier; b[i] = a[4095 - i].
//! out wrong: 0
//! order-free yes
program anchor15;

out     u32 wrong[1];
scratch u32 a[4096];

kernel groups (64) workgroup(64) {
    a[gid.x] = gid.x;
    grid_barrier;
    if a[4095 - gid.x] != 4095 - gid.x { atomic_add(wrong[0], 1); }
}
