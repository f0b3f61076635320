//! args --set n=12 --set most=40 --in x=1,20,3,4,5,6,7,8,9,10,11,30
//! out x: 30 30 30 30 30 30 30 30 30 30 30 30
//! out depth: 4 4 4 4 4 4 4 4 4 4 3 0
//! passes 13
//! converged yes
//! case no more than three passes
//! args --set n=12 --set most=3 --in x=1,20,3,4,5,6,7,8,9,10,11,30
//! out x: 15 20 9 10 11 14 15 18 19 23 27 30
//! passes 3
//! converged no
//! case one item
//! args --set n=1 --set most=40 --in x=5
//! out x: 5
//! passes 1
//! converged yes
//! case a pass that changes nothing
//! args --set n=12 --set most=40 --in x=0,0,0,0,0,0,0,0,0,0,0,0
//! out x: 0 0 0 0 0 0 0 0 0 0 0 0
//! passes 1
//! converged yes
// Passes until nothing changes, each with a branch and with a loop that nobody knows before: what a pass has changed is
// known at its end, whatever came after it.
program steps_passes;

param u32 n;
param u32 most;
inout u32 x[n];
out u32 depth[n];
scratch u32 y[n];

kernel fixpoint(most) on (x, depth) {
    var u32 odd = 0;
    forall i in 0 .. n reduce(add odd) {
        y[i] = max(x[i], x[(i + 1) % n]);
        odd = x[i] % 2;
    }
    if odd != 0 {
        forall i in 0 .. n {
            atomic_max(depth[i], x[i] % 5);
        }
    }
    var u32 left = odd + 1;
    while left != 0 {
        left /= 2;
        forall i in 0 .. n {
            x[i] = max(x[i], min(y[(i + left) % n], x[i] + 2));
        }
    }
}
