// The wait is for another tag: the copy is still on its way.
//! args --in z=5,6
//! race tile copy read
program copy_of_another_tag;
in u32 z[2];
shared u32 tile[2];
shared u32 other[2];
out u32 x[2];
kernel groups(1) workgroup(2) {
    if lid.x == 0 {
        copy_async(tile, 0, z, 0, 2, first); // @copy
        copy_async(other, 0, z, 0, 2, second);
        wait(second);
    }
    barrier;
    if lid.x == 1 {
        x[gid.x] = tile[gid.x] + other[gid.x]; // @read
    }
}
