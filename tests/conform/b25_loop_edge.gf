// The edge of a loop is a barrier too: what the end of a turn shares with the begin of the next keeps it.
//! args --set n=4
//! out y: 3 3 3 3
//! out z: 6 4 6 8
//! order-free yes
program b25_loop;

param   u32 n;
out     u32 y[n];
out     u32 z[n];
scratch u32 a[n];
scratch u32 b[n];

kernel (n) workgroup(2) {
    let v = gid.x;
    b[v] = v;
    for k in 0 .. 3 {
        y[v] += 1;
        grid_barrier;
        a[v] = b[(v + 1) % n] + 1;
        grid_barrier;
        b[v] = a[n - 1 - (n - 1 - v)];
    }
    z[v] = b[v] + v;
}
