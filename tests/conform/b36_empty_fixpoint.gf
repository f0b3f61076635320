// An empty space under a fixpoint: one pass, converged, whatever its limit.
//! args --set n=0 --set most=7 --in x=4
//! out x: 4
//! passes 1
//! converged yes
//! case a limit of nothing is fine there
//! args --set n=0 --set most=0 --in x=4
//! out x: 4
//! passes 1
//! converged yes
//! case and refused where there are invocations
//! args --set n=1 --set most=0 --in x=4
//! status 2
//! error GF0726
program b36_fixpoint;

param u32 n;
param u32 most;
inout u32 x[1];

kernel (n) workgroup(4) fixpoint(most) on (x) {
    atomic_add(x[0], 1);
}
