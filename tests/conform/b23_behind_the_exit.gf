// What stands behind a break, continue or return of the grid is never come to.
//! args --set n=5 --set stop=2
//! out y: 3 3 3 3 3
//! out z: 2 2 2 2 2
//! order-free yes
//! case no break
//! args --set n=4 --set stop=9
//! out y: 4 4 4 4
//! out z: 5 5 5 5
program b23_behind;

param   u32 n;
param   u32 stop;
out     u32 y[n];
out     u32 z[n];
scratch u32 a[n];

kernel (n) workgroup(2) {
    let v = gid.x;
    var u32 k = 0;
    for i in 0 .. 4 {
        y[v] += 1;
        a[n - 1 - v] = i;
        grid_barrier;
        k = i + a[v] * 0;
        z[v] = i;
        if i == stop {
            break;
            z[v] = 98;
            grid_barrier;
            z[v] = 99;
        }
        if i == 1 {
            continue;
            grid_barrier;
            y[v] = 98;
        }
    }
    grid if stop > 3 {
        z[v] = 5;
        return;
        grid_barrier;
        z[v] = 97;
    }
    y[v] += 0;
}
