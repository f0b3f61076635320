//! args --set n=20000 --set from=300
//! status 6
//! error GF0704
//! stderr error[GF0704]: assert failed: "too large" (invocation 300)
//! case the last ones
//! args --set n=20000 --set from=19998
//! status 6
//! error GF0704
//! stderr error[GF0704]: assert failed: "too large" (invocation 19998)
//! case nobody
//! args --set n=20000 --set from=20000
//! out x: 3 3 3 3
// More items than run at once, most of which fail: those that come late and are lower are heard all the same.
program wrong_in_blocks;

param u32 n;
param u32 from;
out u32 x[4];
scratch u32 y[n];

kernel {
    for turn in 0 .. 3 {
        forall i in 0 .. n {
            y[i] += 1;
        }
        grid_barrier;
        forall i in 0 .. n {
            assert(i < from, "too large");
            if i < 4 {
                x[i] = y[i];
            }
        }
        grid_barrier;
    }
}
