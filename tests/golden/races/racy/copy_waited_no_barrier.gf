// The wait completes the copy for the one who made it; the others still want a barrier.
//! args --in z=5,6
//! race tile copy read
program copy_waited_no_barrier;
in u32 z[2];
shared u32 tile[2];
out u32 x[2];
kernel groups(1) workgroup(2) {
    if lid.x == 1 {
        copy_async(tile, 0, z, 0, 2, fetch); // @copy
        wait(fetch);
    }
    x[gid.x] = tile[gid.x]; // @read
}
