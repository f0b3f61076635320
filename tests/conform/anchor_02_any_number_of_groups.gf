// One barrier, workgroups = 1, 2, 17 and 256: each finishes.
//! args --set groups=1
//! out wrong: 0
//! order-free yes
//! case 2
//! args --set groups=2
//! out wrong: 0
//! case 17
//! args --set groups=17
//! out wrong: 0
//! case 256
//! args --set groups=256
//! out wrong: 0
program anchor02;

param   u32 groups;
out     u32 wrong[1];
scratch u32 a[groups * 32];

kernel groups (groups) workgroup(32) {
    let n = groups * 32;
    a[gid.x] = gid.x;
    grid_barrier;
    if a[n - 1 - gid.x] != n - 1 - gid.x { atomic_add(wrong[0], 1); }
}
