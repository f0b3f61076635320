// A forall that reduces is a grid barrier, and its variables are everybody's own until then.
//! args --in v=4,9,2,7
//! out x: 29 24 31 26
program reduce_orders;
in u32 v[4];
scratch u32 y[4];
out u32 x[4];
kernel {
    var u32 s = 0;
    forall i in 0 .. 4 reduce(add s) {
        s += v[i];
        y[3 - i] = v[i];
    }
    forall i in 0 .. 4 {
        x[i] = y[i] + s;
    }
}
