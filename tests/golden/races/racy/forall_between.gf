// Workgroups before and behind a forall that is no barrier are in one stretch.
//! race y write read
program forall_between;
scratch u32 y[4];
scratch u32 z[4];
out u32 x[4];
kernel (4) workgroup(2) {
    y[gid.x] = gid.x; // @write
    forall i in 0 .. 4 {
        z[i] = i;
    }
    x[gid.x] = y[3 - gid.x]; // @read
}
