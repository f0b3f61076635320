// A copy that is waited for before the barrier is there behind it.
//! args --in a=0,1,2,3,4,5,6,7,8,9
//! out y: 0 0 9 8 7 6 5 0 0 0
//! out z: 0 0 0 18 16 14 12 10 0 0
program b18;

in      u32 a[];
out     u32 y[len(a)];
out     u32 z[len(a)];
scratch u32 b[len(a)];

kernel (len(a)) workgroup(4) {
    let v = gid.x;
    if v == 3 {
        copy_async(b, 2, a, 5, 5, first);
        wait(first);
    }
    grid_barrier;
    z[v] = 2 * b[len(a) - 1 - v];
    if v >= 2 && v < 7 { y[v] = b[8 - v]; }
}
