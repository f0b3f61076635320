// Old values are read beside constructs that only set values of the grid, nested blocks and a barrier that goes with them.
//! args --set n=5
//! out y: 1 1 1 1 1
//! out z: 3 3 3 3 3
//! out w: 31 31 31 31 31
//! out u: 34 34 34 34 34
//! out x: 37 37 37 37 37
//! out last: 35 35 35 35 35
//! order-free yes
//! case the condition does not hold
//! args --set n=2
//! out y: 1 1
//! out z: 3 3
//! out w: 3 3
//! out u: 6 6
//! out x: 7 7
//! out last: 7 7
program b31_constructs;

param   u32 n;
out     u32 y[n];
out     u32 z[n];
out     u32 w[n];
out     u32 u[n];
out     u32 x[n];
out     u32 last[n];
scratch u32 a[n];

kernel (n) workgroup(2) {
    let v = gid.x;
    var u32 k = 1;
    y[v] = k;
    k += 2;
    z[v] = k;
    if n > 2 {
        {
            k = k * 10;
        }
        region "more" { k += 1; }
    }
    w[v] = k;
    grid for i in 0 .. 3 { k += i; }
    u[v] = k;
    k += 1;
    let before = k;
    grid if n > 2 {
        k += 1;
        grid_barrier;
        k += 1;
    }
    a[n - 1 - v] = v;
    grid_barrier;
    x[v] = k + a[v] * 0;
    last[v] = before;
}
