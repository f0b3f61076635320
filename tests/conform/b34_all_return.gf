// Every invocation returns; a grid-level `for` with barriers remains: heads and grid-level variables go on, and it ends.
//! args --set n=6
//! out y: 1 1 1 1 1 1
//! out z: 0 0 0 0 0 0
//! order-free yes
//! passes 1
program b34;

param   u32 n;
out     u32 y[n];
out     u32 z[n];
scratch u32 a[n];

kernel (n) workgroup(2) {
    let v = gid.x;
    y[v] = 1;
    var u32 k = 0;
    if v < n { return; }
    for i in 0 .. 5 {
        a[n - 1 - v] = i;
        grid_barrier;
        z[v] += a[v];
        k += 1;
        grid_barrier;
    }
    z[v] = k;
}
