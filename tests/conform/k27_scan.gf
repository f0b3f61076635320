// Scan over all workgroups, exclusive and inclusive: closed form i (i - 1) / 2 over 0, 1, 2, ... modulo 2^32.
//! args --set n=1
//! out wrong: 0
//! out last: 0 0
//! order-free yes
//! case 2
//! args --set n=2
//! out wrong: 0
//! out last: 0 1
//! case one less than a group
//! args --set n=255
//! out wrong: 0
//! out last: 32131 32385
//! case a group
//! args --set n=256
//! out wrong: 0
//! out last: 32385 32640
//! case one more
//! args --set n=257
//! out wrong: 0
//! out last: 32640 32896
//! case 4097
//! args --set n=4097
//! out wrong: 0
//! out last: 8386560 8390656
//! case 70000
//! args --set n=70000
//! out wrong: 0
//! out last: 2449895001 2449965000
//! case none
//! args --set n=0
//! out wrong: 0
//! out last: 0 0
program k27;

param u32 n;
out   u32 wrong[1];
out   u32 last[2];

kernel (n) {
    let v = gid.x;
    let before = grid_scan_add(v);
    let through = before + v;
    let want = u32(u64(v) * (u64(max(v, 1)) - 1) / 2);
    if before != want || through != want + v { atomic_add(wrong[0], 1); }
    if v == n - 1 { last[0] = before; last[1] = through; }
}
