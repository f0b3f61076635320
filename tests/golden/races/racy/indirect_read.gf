// A gather through an index: whoever points at another than itself reads what that one writes.
//! case others
//! args --in from=0,1,3,3
//! race y write read
//! case themselves
//! args --in from=0,1,2,3
//! out x: 0 1 2 3
program indirect_read;
in u32 from[4];
scratch u32 y[4];
out u32 x[4];
kernel (4) workgroup(2) {
    y[gid.x] = gid.x; // @write
    x[gid.x] = y[from[gid.x]]; // @read
}
