// The same in turns of a loop: a variable declared in the body starts anew in each turn, whatever the turn before left.
//! args --set n=4
//! out y: 3 6 9 12
//! order-free yes
program b17_loop;

param   u32 n;
out     u32 y[n];
scratch u32 a[n];

kernel (n) workgroup(2) {
    let v = gid.x;
    for k in 0 .. 3 {
        var u32 t;
        t += k;
        a[n - 1 - v] = v;
        grid_barrier;
        t += a[n - 1 - v];
        grid_barrier;
        y[v] += t;
    }
}
