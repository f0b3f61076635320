// Positions by a prefix sum: everybody has a place of their own.
//! args --in v=5,0,7,0,0,9
//! out x: 5 7 9 0 0 0
//! out count: 3
program compaction;
in u32 v[6];
out u32 x[6];
out u32 count[1];
kernel (6) workgroup(4) {
    let keep = v[gid.x] != 0;
    let place = grid_scan_add(u32(keep));
    if keep {
        x[place] = v[gid.x];
    }
    if gid.x == 5 {
        count[0] = place + u32(keep);
    }
}
