// A million indices, each once.
//! long
//! args --set n=1000000
//! out wrong: 0
//! out sum: 499999500000
//! races no
program b47_million;

param   u32 n;
out     u32 wrong[1];
out     u64 sum[1];
scratch u8  times[n];

kernel {
    var u64 s = 0;
    forall i in 0 .. n { times[i] += 1; }
    grid_barrier;
    forall i in 0 .. n reduce(add s) {
        if times[i] != 1 { atomic_add(wrong[0], 1); }
        s += u64(i);
    }
    forall one in 0 .. 1 { sum[0] = s; }
}
