// Width 256: block b adds 1 to acc[gid] 2b times; behind the barrier all read the last element. acc starts as its id:
// (n - 1) + 2 (blocks - 1) + in[gid], with in[gid] = gid.
//! args --set blocks=9
//! out wrong: 0
//! out first: 2319 2320
//! case one block
//! args --set blocks=1
//! out wrong: 0
//! case many
//! args --set blocks=64
//! out wrong: 0
program k24;

param   u32 blocks;
out     u32 wrong[1];
out     u32 first[2];
scratch u32 acc[blocks * 256];
scratch u32 y[blocks * 256];

kernel groups (blocks) workgroup(256) {
    let n = blocks * 256;
    let v = gid.x;
    acc[v] = v;
    for k in 0 .. 2 * wid.x { acc[v] += 1; }
    grid_barrier;
    y[v] = acc[n - 1] + v;
    if y[v] != n - 1 + 2 * (blocks - 1) + v { atomic_add(wrong[0], 1); }
    if v < 2 { first[v] = y[v]; }
}
