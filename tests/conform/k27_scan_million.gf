// The same for a million elements, with a workgroup that is no power of two.
//! long
//! args --set n=1000000
//! out wrong: 0
//! out last: 1782293665
//! races no
program k27_million;

param u32 n;
out   u32 wrong[1];
out   u32 last[1];

kernel (n) workgroup(96) {
    let v = gid.x;
    let before = grid_scan_add(v);
    if before != u32(u64(v) * (u64(max(v, 1)) - 1) / 2) { atomic_add(wrong[0], 1); }
    if v == n - 1 { last[0] = before; }
}
