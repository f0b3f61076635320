// Whoever has returned has read before; the barrier that it counts as having met is one of its workgroup alone.
//! stderr GF0322
//! race y write read
program returned_reader;
scratch u32 y[4];
out u32 x[4];
kernel groups(2) workgroup(2) {
    if gid.x == 0 {
        x[0] = y[3]; // @read
        return;
    }
    barrier;
    y[gid.x] = 1; // @write
}
