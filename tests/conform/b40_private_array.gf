// The same for a private array, in a loop, written at one place a turn.
//! args --set n=5
//! out y: 660 486 668 498 676
//! order-free yes
program b40_array;

param   u32 n;
out     u32 y[n];
scratch u32 a[n];

kernel (n) workgroup(2) {
    let v = gid.x;
    var u32 p[4];
    for k in 0 .. 4 { p[k] = 100 + k; }
    for k in 0 .. 4 {
        a[n - 1 - v] = k;
        grid_barrier;
        if (k + v) % 2 == 0 { p[a[v]] = 10 + k + v; }
        grid_barrier;
    }
    var u32 s = 0;
    for k in 0 .. 4 { s += (k + 1) * p[k]; }
    y[v] = s;
}
