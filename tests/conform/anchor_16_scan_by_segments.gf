// Inclusive scan of ones by three segments over 1 to 65,536 elements: the last is n.
//! long
//! args --set n=65536
//! out last: 65536
//! out wrong: 0
//! races no
//! case 1
//! args --set n=1
//! out last: 1
//! out wrong: 0
//! case 63
//! args --set n=63
//! out last: 63
//! out wrong: 0
//! case 65
//! args --set n=65
//! out last: 65
//! out wrong: 0
//! case 4097
//! args --set n=4097
//! out last: 4097
//! out wrong: 0
program anchor16;

param   u32 n;
out     u32 last[1];
out     u32 wrong[1];
scratch u32 part[n / 64 + 1];
scratch u32 y[n];

kernel (n) workgroup(64) {
    let v = gid.x;
    let before = group_scan_add(u32(1));
    let all = group_add(u32(1));
    if lid.x == 0 { part[wid.x] = all; }
    grid_barrier;
    if v == 0 {
        var u32 sum = 0;
        for g in 0 .. grid_size.x { let own = part[g]; part[g] = sum; sum += own; }
    }
    grid_barrier;
    y[v] = part[wid.x] + before + 1;
    if y[v] != v + 1 { atomic_add(wrong[0], 1); }
    if v == n - 1 { last[0] = y[v]; }
}
