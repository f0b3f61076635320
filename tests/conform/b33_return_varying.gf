// The varying form of a `return` under a fixpoint of 3 passes: the other form gives the same passes and the same bytes.
//! args --set n=5 --in it=0
//! out y: 3 3 3 3 3
//! out z: 2 2 2 2 2
//! out it: 2
//! passes 3
//! converged no
//! case later
//! args --set n=5 --in it=5
//! out y: 3 3 3 3 3
//! out z: 3 3 3 3 3
//! out it: 8
//! passes 3
//! converged no
//! case at once
//! args --set n=5 --in it=2
//! out y: 3 3 3 3 3
//! out z: 0 0 0 0 0
//! out it: 2
//! passes 3
//! converged no
program b33;

param u32 n;
inout u32 it[1];
out   u32 y[n];
out   u32 z[n];

kernel (n) workgroup(2) fixpoint(3) {
    let v = gid.x;
    y[n - 1 - v] += 1;
    grid_barrier;
    if it[0] + gid.x - gid.x == 2 { return; }
    z[v] += 1;
    grid_barrier;
    if v == 0 { it[0] += 1; }
}
