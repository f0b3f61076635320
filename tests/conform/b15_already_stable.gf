// Input that is already at its fixpoint takes one pass, with a budget of 100.
//! args --set n=7 --in x=0,0,1,1,2,2,2
//! out x: 0 0 1 1 2 2 2
//! passes 1
//! converged yes
//! case from somewhere else
//! args --set n=7 --in x=2,2,2,1,1,0,0
//! out x: 0 0 1 1 2 2 2
//! passes 4
//! converged yes
program b15;

param   u32 n;
inout   u32 x[n];

kernel (n) workgroup(2) fixpoint(100) on (x) {
    let v = gid.x;
    if v % 2 == 0 && v + 1 < n && x[v] > x[v + 1] { let a = x[v]; x[v] = x[v + 1]; x[v + 1] = a; }
    grid_barrier;
    if v % 2 == 1 && v + 1 < n && x[v] > x[v + 1] { let a = x[v]; x[v] = x[v + 1]; x[v + 1] = a; }
}
