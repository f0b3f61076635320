//! args --set n=6 --in depth=0,9,9,9,9,9
//! out depth: 0 1 2 3 4 5
//! passes 3
//! converged yes
//! case one pass finds nothing to do
//! args --set n=3 --in depth=0,1,2
//! out depth: 0 1 2
//! passes 1
//! converged yes
// A pass that is a loop of known turns: each goes so many steps along a chain.
program turns_known_passes;

param u32 n;
inout u32 depth[n];
scratch u32 before[n];

kernel fixpoint(n) on (depth) {
    for turn in 0 .. 3 {
        forall v in 0 .. n {
            before[v] = depth[v];
        }
        grid_barrier;
        forall v in 1 .. n {
            depth[v] = min(before[v], before[v - 1] + 1);
        }
        grid_barrier;
    }
}
