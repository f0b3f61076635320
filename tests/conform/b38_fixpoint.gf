// A fixpoint over a NaN converges: bytes are compared, not values.
//! args --in x=1,nan,inf
//! out x: nan nan nan
//! passes 2
//! converged yes
program b38_fixpoint;

inout f32 x[3];

kernel (3) workgroup(2) fixpoint(20) on (x) {
    let v = gid.x;
    let a = x[v];
    let b = x[(v + 1) % 3];
    grid_barrier;
    x[v] = (a - a) + b;
}
