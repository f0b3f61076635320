// A statement before a forall is no barrier: items may read what it has not written yet.
//! race y write read
program forall_and_around;
scratch u32 y[1];
out u32 x[4];
kernel {
    y[0] = 3; // @write
    forall i in 0 .. 4 {
        x[i] = y[0]; // @read
    }
}
