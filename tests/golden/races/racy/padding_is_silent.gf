// The invocations that only pad the last workgroup run nothing; those that exist race as ever.
//! case five
//! args --set n=5
//! race y write read
//! case four
//! args --set n=4
//! out x: 0 0 0 0 0 0 0 0
program padding_is_silent;
param u32 n;
scratch u32 y[8];
out u32 x[8];
kernel (n) workgroup(4) {
    if gid.x == 4 {
        y[0] = 1; // @write
    }
    if gid.x == 1 {
        x[1] = y[0]; // @read
    }
}
