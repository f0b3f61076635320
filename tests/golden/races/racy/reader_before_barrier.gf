// The reader of another workgroup stands before its own barrier, which orders it with nobody here.
//! stderr GF0322
//! race y write read
program reader_before_barrier;
scratch u32 y[1];
out u32 x[4];
kernel groups(2) workgroup(2) {
    if gid.x == 0 {
        x[0] = y[0]; // @read
    }
    barrier;
    if gid.x == 2 {
        y[0] = 1; // @write
    }
}
