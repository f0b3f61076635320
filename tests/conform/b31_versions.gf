// A `let` of a grid-level variable is a copy; a variable assigned inside a stretch has both versions there.
//! args --set n=3
//! out y: 5 5 5
//! out a: 6 6 6
//! out b: 16 16 16
//! out c: 32 32 32
//! order-free yes
program b31;

param   u32 n;
out     u32 y[n];
out     u32 a[n];
out     u32 b[n];
out     u32 c[n];
scratch u32 t[n];

kernel (n) workgroup(2) {
    let v = gid.x;
    var u32 depth = 5;
    let now = depth;
    t[n - 1 - v] = now;
    grid_barrier;
    depth += 1;
    t[v] += depth;
    grid_barrier;
    y[v] = now;
    a[v] = depth;
    depth += 10;
    b[v] = depth;
    depth *= 2;
    grid_barrier;
    c[n - 1 - v] = depth;
}
