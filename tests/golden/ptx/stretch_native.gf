// ptx: native
// The same in one kernel: of two barriers the first does not ask whether somebody has failed.
program stretch_native;

param u32 n;
in u32 x[n];
out u32 y[n];
out u32 z[n];

kernel {
    forall i in 0 .. n {
        assert(x[i] != 1, "first");
        y[i] = 1;
    }
    forall i in 0 .. n {
        assert(x[i] != 2, "second");
        z[i] = 1;
    }
    grid_barrier;
    forall i in 0 .. n {
        assert(y[n - 1 - i] + z[n - 1 - i] == 2, "third");
    }
}
