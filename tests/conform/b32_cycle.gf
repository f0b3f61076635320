// A state that cycles runs to the limit and is not converged, though every other pass ends where one began.
//! args --in x=0,1
//! out x: 1 0
//! passes 7
//! converged no
//! case an even limit
//! args --in x=0,1 --passes 6
//! out x: 0 1
//! passes 6
//! converged no
program b32_cycle;

inout u32 x[2];

kernel (2) workgroup(1) fixpoint(7) on (x) {
    let other = x[1 - gid.x];
    grid_barrier;
    x[gid.x] = other;
}
