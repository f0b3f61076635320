// An atomic before a barrier is done once: its results are a permutation of 0..n-1, and the counter ends at n.
//! args --set n=1000
//! out c: 1000
//! out wrong: 0
//! order-free no
//! case one
//! args --set n=1
//! out c: 1
//! out wrong: 0
//! case 257
//! args --set n=257
//! out c: 257
//! out wrong: 0
program b03;

param   u32 n;
out     u32 c[1];
out     u32 wrong[1];
scratch u32 y[n];
scratch u32 times[n];

kernel (n) workgroup(48) {
    let t = atomic_add(c[0], 1);
    grid_barrier;
    y[gid.x] = t;
    atomic_add(times[t], 1);
    grid_barrier;
    if times[gid.x] != 1 || y[gid.x] >= n { atomic_add(wrong[0], 1); }
}
