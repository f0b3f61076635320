// No grid barrier: one segment, whatever the number of statements.
//! args --set n=5 --in x=3,1,4,1,5
//! out y: 7 3 9 3 11
//! segments 1
//! launches host=1
//! launches resident=1
//! order-free yes
//! passes 1
//! converged null
//! case nothing to do
//! args --set n=0 --in x=fill:0
//! out y:
//! passes 1
program k01;

param u32 n;
in    u32 x[n];
out   u32 y[n];

kernel (n) workgroup(4) {
    let v = gid.x;
    let twice = x[v] * 2;
    y[v] = twice + 1;
}
