// Five barriers in a chain of the same: after round r every block knows the last element of round r - 1.
// s(0) = n - 1 + 2 (blocks - 1); each round adds its own 2 (blocks - 1) to what the last one of the round before was.
//! args --set blocks=5
//! out last: 1287 1295 1303 1311 1319
//! out wrong: 0
//! case one block
//! args --set blocks=1
//! out last: 255 255 255 255 255
//! out wrong: 0
//! case many
//! args --set blocks=33
//! out last: 8511 8575 8639 8703 8767
//! out wrong: 0
program k24_chain;

param   u32 blocks;
out     u32 last[5];
out     u32 wrong[1];
scratch u32 acc[blocks * 256];

kernel groups (blocks) workgroup(256) {
    let n = blocks * 256;
    let v = gid.x;
    acc[v] = v;
    for r in 0 .. 5 {
        for k in 0 .. 2 * wid.x { acc[v] += 1; }
        grid_barrier;
        let top = acc[n - 1];
        if v == 0 { last[r] = top; }
        if top != n - 1 + 2 * (blocks - 1) * (r + 1) { atomic_add(wrong[0], 1); }
        grid_barrier;
    }
}
