// Two foralls in one stretch that share nothing.
//! out x: 0 1 2 3
//! out y: 4 3 2 1
program foralls_apart;
out u32 x[4];
out u32 y[4];
kernel {
    forall i in 0 .. 4 {
        x[i] = i;
    }
    forall i in 0 .. 4 {
        y[i] = 4 - i;
    }
}
