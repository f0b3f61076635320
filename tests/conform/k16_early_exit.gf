// A value that saturates at 3: the run stops as soon as a pass changes nothing, within a budget of 10.
// From 0 by two steps a pass: 2, 3 (and no more), then the pass that changes nothing.
//! args --in s=0
//! out s: 3
//! passes 3
//! converged yes
//! launches host=6
//! case already there
//! args --in s=3
//! out s: 3
//! passes 1
//! converged yes
//! launches host=2
//! case cut short
//! args --in s=0 --passes 2
//! out s: 3
//! passes 2
//! converged no
//! case cut shorter
//! args --in s=0 --passes 1
//! out s: 2
//! passes 1
//! converged no
//! case budget as needed
//! args --in s=0 --passes 3
//! out s: 3
//! passes 3
//! converged yes
program k16;

inout u32 s[1];

kernel (1) workgroup(1) fixpoint(10) on (s) {
    s[0] = min(s[0] + 1, 3);
    grid_barrier;
    s[0] = min(s[0] + 1, 3);
}
