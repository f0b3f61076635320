// Two foralls with a grid barrier between.
//! out x: 3 2 1 0
program foralls_and_barrier;
scratch u32 y[4];
out u32 x[4];
kernel {
    forall i in 0 .. 4 {
        y[i] = i;
    }
    grid_barrier;
    forall i in 0 .. 4 {
        x[i] = y[3 - i];
    }
}
