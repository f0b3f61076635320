// Threads past the end return before a barrier: no deadlock, the sequential answer.
//! args --set n=37
//! out sum: 703 703
//! order-free yes
program anchor26;

param   u32 n;
out     u32 sum[2];
scratch u32 t[64];

kernel groups (4) workgroup(16) {
    let i = gid.x;
    if i >= n { return; }
    t[i] = i + 1;
    grid_barrier;
    let all = grid_add(t[n - 1 - i]);
    if i == 0 { sum[0] = all; }
    if i == n - 1 { sum[1] = all; }
}
