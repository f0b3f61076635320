// Each reads what its neighbour writes, and nothing lies between.
//! race y write read
program neighbour;
scratch u32 y[8];
out u32 x[8];
kernel (8) workgroup(4) {
    y[gid.x] = gid.x; // @write
    x[gid.x] = y[(gid.x + 1) % 8]; // @read
}
