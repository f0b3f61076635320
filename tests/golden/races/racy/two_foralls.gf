// Two foralls that share data want a grid barrier between.
//! race y write read
program two_foralls;
scratch u32 y[8];
out u32 x[8];
kernel {
    forall i in 0 .. 8 {
        y[i] = i; // @write
    }
    forall i in 0 .. 8 {
        x[i] = y[i]; // @read
    }
}
