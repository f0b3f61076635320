// A region is a label, no barrier.
//! race y write read
program regions;
scratch u32 y[4];
out u32 x[4];
kernel (4) workgroup(2) {
    region "produce" {
        y[gid.x] = 1; // @write
    }
    region "consume" {
        x[gid.x] = y[3 - gid.x]; // @read
    }
}
