// Zero-length inputs that nothing reads are legal; segments without workgroups do nothing.
//! args --set n=0 --in x=fill:1 --in y=fill:1 --in z=5
//! out z: 5
//! out o:
//! passes 1
//! case some
//! args --set n=3 --in x=1,2,3 --in y=4,5,6 --in z=5
//! out z: 20
//! out o: 6 5 4
program k29;

param u32 n;
in    u32 x[n];
inout u32 y[n];
inout u32 z[1];
out   u32 o[n];

kernel (n) workgroup(2) {
    let v = gid.x;
    atomic_add(z[0], x[v]);
    grid_barrier;
    o[v] = y[n - 1 - v];
    grid_barrier;
    if v == 0 { z[0] += n * n; }
}
