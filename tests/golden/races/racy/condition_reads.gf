// The access is in a condition behind `&&`.
//! race y write read
program condition_reads;
scratch u32 y[4];
out u32 x[4];
kernel (4) workgroup(2) {
    y[gid.x] = 1; // @write
    if gid.x > 0 && y[gid.x - 1] == 1 { // @read
        x[gid.x] = 1;
    }
}
