// Two conditional barriers in nested loops, statements behind them: each runs once per turn.
//! args --set n=6 --set a=3 --set b=2
//! out x: 6 6 6 6 6 6
//! out y: 3 3 3 3 3 3
//! out s: 615 612 609 606 603 600
//! order-free yes
program anchor20;

param   u32 n;
param   u32 a;
param   u32 b;
out     u32 x[n];
out     u32 y[n];
out     u32 s[n];
scratch u32 t[n];

kernel (n) workgroup(2) {
    let v = gid.x;
    for i in 0 .. a {
        for j in 0 .. b {
            if j == 0 { t[v] = v + 100 * (i * b + j); grid_barrier; }
            x[v] += 1;
            if j == b - 1 { s[v] += t[n - 1 - v]; grid_barrier; }
        }
        y[v] += 1;
    }
}
