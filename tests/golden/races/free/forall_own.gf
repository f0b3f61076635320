// Each item touches elements of its own.
//! out x: 0 1 4 9
program forall_own;
out u32 x[4];
kernel {
    forall i in 0 .. 4 {
        x[i] = i;
        x[i] *= i;
    }
}
