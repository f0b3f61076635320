// Two states of the same bytes in another order differ: a rotation by one element, then of one bit from element to
// element, is never taken for a state at rest.
//! args --in x=1,2,3,4 --passes 9
//! out x: 4 1 2 3
//! passes 9
//! converged no
//! order-free yes
//! case already at rest
//! args --in x=7,7,7,7
//! out x: 7 7 7 7
//! passes 1
//! converged yes
program b20_rotation;

inout   u32 x[4];
scratch u32 old[4];

kernel (4) workgroup(2) fixpoint(1000) on (x) {
    old[gid.x] = x[gid.x];
    grid_barrier;
    x[gid.x] = old[(gid.x + 3) % 4];
}
