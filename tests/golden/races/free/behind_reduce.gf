// What a forall that reduces has written is read behind it, by one and by all.
//! args --in v=4,9,2,7
//! out x: 22 7 2 9
program behind_reduce;
in u32 v[4];
scratch u32 y[4];
out u32 x[4];
kernel {
    var u32 s = 0;
    forall i in 0 .. 4 reduce(add s) {
        s += v[i];
        y[i] = v[i];
    }
    x[0] = s + y[0] - 4;
    forall i in 1 .. 4 {
        x[i] = y[4 - i];
    }
}
