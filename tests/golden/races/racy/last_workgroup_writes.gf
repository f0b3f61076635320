// Many readers in every workgroup, one writer in the last.
//! race y write read
program last_workgroup_writes;
scratch u32 y[1];
out u32 x[8];
kernel (8) workgroup(2) {
    x[gid.x] = y[0]; // @read
    if gid.x == 7 {
        y[0] = 1; // @write
    }
}
