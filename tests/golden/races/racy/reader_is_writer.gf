// The first reader is the writer itself, which is no race; the second reader is another.
//! race y write read
program reader_is_writer;
scratch u32 y[1];
out u32 x[4];
kernel (4) workgroup(4) {
    if gid.x < 2 {
        x[gid.x] = y[0]; // @read
    }
    if gid.x == 0 {
        y[0] = 1; // @write
    }
}
