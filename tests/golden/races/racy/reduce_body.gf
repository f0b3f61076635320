// A reduction combines its variables without a race; a buffer beside them is shared like any other.
//! args --in v=4,9,2,7
//! race best store store
program reduce_body;
in u32 v[4];
out u32 best[1];
out u32 sum[1];
kernel {
    var u32 s = 0;
    forall i in 0 .. 4 reduce(add s) {
        s += v[i];
        if v[i] > 3 {
            best[0] = v[i]; // @store
        }
    }
    sum[0] = s;
}
