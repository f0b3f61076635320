// A million items.
//! long
//! args --set n=1000000
//! out count: 249999
//! out sum: 3813023988
//! races no
program b49_million;

param   u32 n;
out     u32 count[1];
out     u32 sum[1];
scratch u32 kept[n];

kernel (n) {
    let v = gid.x;
    let keep = v * 2654435761 >> 30 == 1 || v == n - 1;
    let at = grid_scan_add(u32(keep));
    if keep { kept[at] = v + 1; }
    let total = grid_add(u32(keep));
    if v == 0 { count[0] = total; }
    if v < total { atomic_add(sum[0], (v + 1) * kept[v]); }
}
