// Scans of every integer type: signed ones with negative values, 64-bit ones past 2^32, wrapping where they must.
//! args --set n=300
//! out wrong: 0 0 0 0
//! out last: 14651 48984342529048576 -1530760704032768 3221270023
//! order-free yes
//! case one
//! args --set n=1
//! out wrong: 0 0 0 0
//! out last: 0 0 0 0
program k27_types;

param u32 n;
out   u32 wrong[4];
out   i64 last[4];

kernel (n) workgroup(48) {
    let v = gid.x;
    let a = grid_scan_add(i32(v) - 100);
    let b = grid_scan_add(u64(v) << 40);
    let c = grid_scan_add(-(i64(v) << 35));
    let d = grid_scan_add(0x40000000 + v);
    let w = i64(v);
    let sum = w * (w - 1) / 2;
    if a != i32(sum - 100 * w) { atomic_add(wrong[0], 1); }
    if b != u64(sum) << 40 { atomic_add(wrong[1], 1); }
    if c != -(sum << 35) { atomic_add(wrong[2], 1); }
    if d != 0x40000000 * v + u32(sum) { atomic_add(wrong[3], 1); }
    if v == n - 1 { last[0] = i64(a); last[1] = i64(b); last[2] = c; last[3] = i64(d); }
}
