// A fixpoint with a budget of 1000 that is stable after 5: six passes.
//! args --in x=0,0,0,0,0,0
//! out x: 0 1 2 3 4 5
//! passes 6
//! converged yes
//! launches host=12
//! case budget 6
//! args --in x=0,0,0,0,0,0 --passes 6
//! out x: 0 1 2 3 4 5
//! passes 6
//! converged yes
//! case budget 5
//! args --in x=0,0,0,0,0,0 --passes 5
//! out x: 0 1 2 3 4 5
//! passes 5
//! converged no
//! case budget 3
//! args --in x=0,0,0,0,0,0 --passes 3
//! out x: 0 1 2 3 3 3
//! passes 3
//! converged no
program b22;

inout   u32 x[];
scratch u32 t[len(x)];

kernel (len(x)) workgroup(4) fixpoint(1000) on (x) {
    let v = gid.x;
    t[v] = x[max(v, 1) - 1];
    grid_barrier;
    if v > 0 { x[v] = min(t[v] + 1, v); }
}
