// 128 workgroups of 1024 and many barriers, more than a device may hold at once. Each round adds the left neighbour's
// value of the round before: after r rounds from 1, every element is 2^r.
//! long
//! args --set groups=128 --set rounds=3
//! out wrong: 0
//! order-free yes
//! races no
//! case 56
//! args --set groups=56 --set rounds=5
//! out wrong: 0
//! races no
program anchor01;

param   u32 groups;
param   u32 rounds;
out     u32 wrong[1];
scratch u32 a[groups * 1024];
scratch u32 b[groups * 1024];

kernel groups (groups) workgroup(1024) {
    let n = groups * 1024;
    let v = gid.x;
    a[v] = 1;
    for r in 0 .. rounds {
        grid_barrier;
        b[v] = a[v] + a[(v + n - 1) % n];
        grid_barrier;
        a[v] = b[v];
    }
    if a[v] != 1 << rounds { atomic_add(wrong[0], 1); }
}
