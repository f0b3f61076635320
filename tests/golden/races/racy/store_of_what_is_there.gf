// A store of the value that is there already is a store all the same.
//! race y write read
program store_of_what_is_there;
scratch u32 y[1];
out u32 x[4];
kernel (4) workgroup(2) {
    if gid.x == 0 {
        y[0] = 0; // @write
    } else {
        x[gid.x] = y[0]; // @read
    }
}
