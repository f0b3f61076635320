// A value that changes in each pass uses the whole budget: 4 passes of 2 segments, 8 steps.
//! args --in s=0
//! out s: 8
//! passes 4
//! converged no
//! launches host=8
//! case required
//! args --in s=0 --require-converged
//! status 5
//! error GF0729
//! case half
//! args --in s=100 --passes 2
//! out s: 104
//! passes 2
//! converged no
//! launches host=4
program k17;

inout u32 s[1];

kernel (1) workgroup(1) fixpoint(4) on (s) {
    s[0] += 1;
    grid_barrier;
    s[0] += 1;
}
