// The same where who returns is read from a buffer that is overwritten later, and at several places.
//! args --in x=0,1,2,3,0,1,2,3,0,1,2
//! out y: 0 10 110 111 0 10 110 111 0 10 110
//! order-free yes
program b05_data;

inout u32 x[];
out   u32 y[len(x)];

kernel (len(x)) workgroup(4) {
    let v = gid.x;
    if x[v] == 0 { return; }
    y[v] += 10;
    if x[v] == 1 { return; }
    grid_barrier;
    y[v] += 100;
    if x[v] == 2 { return; }
    grid_barrier;
    y[v] += 1;
}
