// 4,096 workgroups, three segments on one buffer: the order is kept between any two of them.
// Segment k adds 10^k times what the mirrored element held before it, so a step too early or late shows.
//! args --set groups=4096
//! out wrong: 0
//! order-free yes
//! launches host=4
//! case 4097
//! args --set groups=4097
//! out wrong: 0
//! case 1
//! args --set groups=1
//! out wrong: 0
program k23;

param   u32 groups;
out     u32 wrong[1];
scratch u32 a[groups * 4];
scratch u32 b[groups * 4];

kernel groups (groups) workgroup(4) {
    let n = groups * 4;
    let v = gid.x;
    a[v] = v + 1;
    grid_barrier;
    b[v] = 10 * a[n - 1 - v];
    grid_barrier;
    a[v] = b[n - 1 - v] + a[v];
    grid_barrier;
    if a[n - 1 - v] != (n - v) * 11 { atomic_add(wrong[0], 1); }
}
