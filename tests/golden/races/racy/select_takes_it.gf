// What select takes is read.
//! race y write read
program select_takes_it;
scratch u32 y[4];
out u32 x[4];
kernel (4) workgroup(2) {
    y[gid.x] = 1; // @write
    x[gid.x] = select(gid.x == 1, y[2], gid.x); // @read
}
