// Min and then max on one watched buffer, net unchanged: converged in the first pass.
//! args --in x=5,5,5
//! out x: 5 5 5
//! passes 1
//! converged yes
//! order-free yes
//! case from elsewhere
//! args --in x=9,1,5
//! out x: 5 5 5
//! passes 2
//! converged yes
program b32;

inout u32 x[3];

kernel (3) workgroup(2) fixpoint(50) on (x) {
    atomic_min(x[gid.x], 2);
    grid_barrier;
    atomic_max(x[gid.x], 5);
}
