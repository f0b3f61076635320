// The reader comes first, the writer after it.
//! race y write read
program read_then_write;
scratch u32 y[8];
out u32 x[8];
kernel (8) workgroup(4) {
    x[gid.x] = y[(gid.x + 7) % 8]; // @read
    y[gid.x] = gid.x; // @write
}
