// The copy may happen as late as its wait; the others read before that.
//! args --in z=5,6,7,8
//! race y copy read
program copy_not_waited;
in u32 z[4];
scratch u32 y[4];
out u32 x[4];
kernel groups(1) workgroup(4) {
    if lid.x == 0 {
        copy_async(y, 0, z, 0, 4, fetch); // @copy
    }
    barrier;
    if lid.x > 0 {
        x[gid.x] = y[gid.x]; // @read
    }
    barrier;
    if lid.x == 0 {
        wait(fetch);
    }
}
