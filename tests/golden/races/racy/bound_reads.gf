// The access is in the bound of a loop.
//! race y write read
program bound_reads;
scratch u32 y[4];
out u32 x[4];
kernel (4) workgroup(2) {
    y[gid.x] = 1; // @write
    for k in 0 .. y[(gid.x + 1) % 4] { // @read
        x[gid.x] += k;
    }
}
