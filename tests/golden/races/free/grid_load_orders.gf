// grid_load stands between two grid barriers.
//! out y: 1 1 1 1
program grid_load_orders;
out u32 y[4];
kernel (4) workgroup(2) {
    y[gid.x] = gid.x;
    let one = grid_load(y[1]);
    y[3 - gid.x] = one;
}
