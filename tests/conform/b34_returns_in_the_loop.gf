// One more returns in each turn, until nobody is left; the loop ends by its own grid-level count.
//! args --set n=5
//! out y: 1 2 3 4 5
//! order-free yes
program b34_loop;

param   u32 n;
out     u32 y[n];
scratch u32 a[n];

kernel (n) workgroup(2) {
    let v = gid.x;
    for i in 0 .. 8 {
        y[v] += 1;
        if v == i { return; }
        a[v] = i;
        grid_barrier;
        if v > 0 && a[v - 1] > i { y[v] = 99; }
        grid_barrier;
    }
    y[v] = 77;
}
