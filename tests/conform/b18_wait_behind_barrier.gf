// The wait on the other side of the barrier: the barrier completes the copy; others see it behind one more.
//! args --in a=10,11,12,13,14,15,16
//! out y: 16 15 14 13 12 11 10
//! out own: 13
program b18_wait;

in      u32 a[];
out     u32 y[len(a)];
out     u32 own[1];
scratch u32 b[len(a)];
scratch u32 tick[len(a)];

kernel (len(a)) workgroup(3) {
    let v = gid.x;
    if v == 5 { copy_async(b, 0, a, 0, len(a), t); }
    tick[v] = v;
    grid_barrier;
    tick[len(a) - 1 - v] += 1;
    wait(t);
    if v == 5 { own[0] = b[3]; }
    grid_barrier;
    y[v] = b[len(a) - 1 - v];
}
