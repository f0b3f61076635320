// Each invocation touches only its own element on both sides: the barriers may go; kept, the bytes are the same.
//! args --set n=7
//! out y: 1 3 5 7 9 11 13
//! segments 1
//! dropped 2
//! launches host=1
//! order-free yes
//! case one
//! args --set n=1
//! out y: 1
program b25;

param   u32 n;
out     u32 y[n];
scratch u32 a[n];

kernel (n) workgroup(4) {
    let v = gid.x;
    a[v] = v * 2;
    grid_barrier;
    y[v] = a[v];
    grid_barrier;
    y[v] += 1;
}
