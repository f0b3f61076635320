// Leaving a forall that reduces is a barrier; entering it is none.
//! race y write read
program reduce_entry;
scratch u32 y[1];
out u32 x[1];
kernel {
    var u32 s = 0;
    y[0] = 3; // @write
    forall i in 0 .. 4 reduce(add s) {
        s += y[0] + i; // @read
    }
    x[0] = s;
}
