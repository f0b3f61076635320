// Compaction by grid_scan_add, workgroups of 48: stable order, and an order-free program.
//! args --set n=1
//! out count: 1
//! out sum: 1
//! order-free yes
//! case 257
//! args --set n=257
//! out count: 64
//! out sum: 361032
//! case 10000
//! args --set n=10000
//! out count: 2499
//! out sum: 3650338330
//! case 0
//! args --set n=0
//! out count: 0
//! out sum: 0
program b49_48;

param   u32 n;
out     u32 count[1];
out     u32 sum[1];
scratch u32 kept[n];

kernel (n) workgroup(48) {
    let v = gid.x;
    let keep = v * 2654435761 >> 30 == 1 || v == n - 1;
    let at = grid_scan_add(u32(keep));
    if keep { kept[at] = v + 1; }
    let total = grid_add(u32(keep));
    if v == 0 { count[0] = total; }
    if v < total { atomic_add(sum[0], (v + 1) * kept[v]); }
}
