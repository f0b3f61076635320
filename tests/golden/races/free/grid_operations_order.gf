// Operations of the grid are grid barriers: vote, sum, scan.
//! out x: 10 8 6 4
program grid_operations_order;
scratch u32 y[4];
out u32 x[4];
kernel (4) workgroup(2) {
    y[gid.x] = gid.x;
    let any = grid_any(gid.x == 0);
    let got = y[3 - gid.x] + u32(any);
    let count = grid_add(1);
    y[3 - gid.x] = got;
    let before = grid_scan_add(1);
    x[gid.x] = y[gid.x] + count + before + 5 - gid.x * 4;
}
