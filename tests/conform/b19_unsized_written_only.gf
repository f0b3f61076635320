// An inout buffer of length `[]` that one segment only writes.
//! args --in x=1,2,3,4,5,6,7
//! out x: 30 2 32 4 34 6 36
//! out y: 1 2 3 4 5 6 7
//! order-free yes
//! case one
//! args --in x=1
//! out x: 30
//! out y: 1
//! case none
//! args --in x=fill:0 --size x=0
//! out x:
//! out y:
program b19;

inout u32 x[];
out   u32 y[len(x)];

kernel (len(x)) workgroup(4) {
    let v = gid.x;
    let old = x[v];
    grid_barrier;
    if v % 2 == 0 { x[v] = 30 + v; }
    grid_barrier;
    y[v] = old;
}
