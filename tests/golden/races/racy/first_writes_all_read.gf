// One writer in the first workgroup, many readers in every other.
//! race y write read
program first_writes_all_read;
scratch u32 y[1];
out u32 x[8];
kernel (8) workgroup(2) {
    if gid.x == 0 {
        y[0] = 1; // @write
    } else {
        x[gid.x] = y[0]; // @read
    }
}
