// Wait, then a barrier, then the others read.
//! args --in z=5,6,7,8
//! out x: 8 7 6 5
program copy_waited;
in u32 z[4];
shared u32 tile[4];
out u32 x[4];
kernel groups(1) workgroup(4) {
    if lid.x == 0 {
        copy_async(tile, 0, z, 0, 4, fetch);
        wait(fetch);
    }
    barrier;
    x[gid.x] = tile[3 - lid.x];
}
