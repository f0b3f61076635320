// The same in a loop, where the copy outlives the turn: previous and present value of a grid-level variable.
//! args --set n=3
//! out y: 15 15 15
//! out prev: 8 8 8
//! order-free yes
program b31_loop;

param u32 n;
out   u32 y[n];
out   u32 prev[n];
scratch u32 t[n];

kernel (n) workgroup(2) {
    let v = gid.x;
    var u32 depth = 1;
    var u32 before = 0;
    while depth < 16 {
        t[n - 1 - v] = depth;
        before = depth;
        grid_barrier;
        let old = depth;
        depth *= 2;
        y[v] += depth - old;
        grid_barrier;
        if t[v] != old { y[v] = 999; }
    }
    prev[v] = before;
}
