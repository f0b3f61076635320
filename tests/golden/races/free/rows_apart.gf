// Copies of rows that lie beside each other.
//! out x: 1 1 2 2
program rows_apart;
scratch u32 y[4];
out u32 x[4];
kernel groups(2) workgroup(1) {
    y[gid.x * 2] = gid.x + 1;
    y[gid.x * 2 + 1] = gid.x + 1;
    copy_async(x, gid.x * 2, y, gid.x * 2, 2, row);
    wait(row);
}
