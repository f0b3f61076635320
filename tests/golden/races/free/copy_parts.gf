// Each copies a part of its own, and the part is read by itself before and by others behind the barrier.
//! args --in z=5,6,7,8
//! out x: 13 15 13 15
program copy_parts;
in u32 z[4];
shared u32 tile[2];
out u32 x[4];
kernel groups(2) workgroup(2) {
    copy_async(tile, lid.x, z, gid.x, 1, fetch);
    wait(fetch);
    let own = tile[lid.x];
    barrier;
    x[gid.x] = tile[1 - lid.x] + own + select(wid.x == 0, 2, 0 - 2) + select(lid.x == 1, 2, 0);
}
