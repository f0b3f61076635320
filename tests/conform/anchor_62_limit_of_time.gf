// Work without end in one launch: the time limit ends it, with a clear text; under it the right sum.
//! args --set turns=18446744073709551615 --timeout 0.3
//! status 7
//! error GF0701
//! stderr time limit
//! case enough time
//! args --set turns=1000 --timeout 60
//! out sum: 499500 499500
program anchor62;

param u64 turns;
out   u64 sum[2];

kernel (2) workgroup(1) {
    var u64 a = 0;
    for i in 0 .. turns { a += i; }
    grid_barrier;
    sum[gid.x] = a;
}
