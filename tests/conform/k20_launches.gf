// Segments times passes where nothing converges: 2 x 3 = 6.
//! args --set n=5 --in a=0,0,0,0,0
//! out a: 6 6 6 6 6
//! passes 3
//! converged no
//! launches host=6
//! launches resident=6
program k20;

param   u32 n;
inout   u32 a[n];
scratch u32 b[n];

kernel (n) workgroup(2) fixpoint(3) on (a) {
    let v = gid.x;
    b[n - 1 - v] = a[v] + 1;
    grid_barrier;
    a[v] = b[v] + 1;
}
