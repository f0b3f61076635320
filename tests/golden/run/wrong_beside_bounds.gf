//! args --set n=500 --in m=400,300
//! out x: 100 300
//! case the lower one behind bounds from memory
//! args --set n=500 --in m=400,300 --set a=450 --set b=7
//! status 6
//! error GF0704
//! stderr error[GF0704]: assert failed: "second" (invocation 7)
//! case behind two of them
//! args --set n=500 --in m=400,300 --set a=450 --set b=399 --set c=298
//! status 6
//! error GF0704
//! stderr error[GF0704]: assert failed: "third" (invocation 298)
//! case before them
//! args --set n=500 --in m=400,300 --set a=3 --set b=7 --set c=5
//! status 6
//! error GF0704
//! stderr error[GF0704]: assert failed: "first" (invocation 3)
//! case without items between
//! args --set n=500 --in m=0,300 --set a=450 --set b=7 --set c=20
//! status 6
//! error GF0704
//! stderr error[GF0704]: assert failed: "third" (invocation 20)
//! case without items at the end
//! args --set n=500 --in m=400,0 --set a=450 --set b=7
//! status 6
//! error GF0704
//! stderr error[GF0704]: assert failed: "second" (invocation 7)
//! case in a loop with branches
//! args --set n=500 --in m=400,300 --set a=450 --set b=7 --set at=3
//! status 6
//! error GF0704
//! stderr error[GF0704]: assert failed: "second" (invocation 7)
//! case checked
//! args --set n=500 --in m=400,300 --set a=450 --set b=399 --set c=298 --checked
//! status 6
//! error GF0704
//! stderr error[GF0704]: assert failed: "third" (invocation 298)
// Bounds of a `forall` that are loaded, or counted by a loop that might not end, in the middle of a stretch in which
// somebody has failed.
program wrong_beside_bounds;

param u32 n;
param u32 a = 1000;
param u32 b = 1000;
param u32 c = 1000;
param u32 at = 0;
in u32 m[2];
out u32 x[2];
scratch u32 y[n];
scratch u32 z[n];

fn u32 counted(u32 to) {
    var u32 k = 0;
    while k < to {
        k += 1;
    }
    return k;
}

kernel {
    for turn in 0 .. 6 {
        if turn % 3 == at % 3 {
            forall i in 0 .. n {
                assert(i != a || turn != at, "first");
                y[i] = i;
            }
            forall i in 0 .. m[0] {
                assert(i != b || turn != at, "second");
                z[i] = 1;
            }
            forall i in u32(0) .. counted(m[1]) {
                assert(i != c || turn != at, "third");
                atomic_max(x[1], i + 1);
            }
        }
        grid_barrier;
    }
    x[0] = n - m[0];
}
