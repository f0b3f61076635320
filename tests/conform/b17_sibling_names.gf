// One name in two sibling scopes, the first lives across a barrier; and a name that hides an outer one.
//! args --set n=5
//! out y: 0 10 20 30 40
//! out z: 120 90 60 30 0
//! out w: 1 2 3 4 5
//! order-free yes
program b17;

param   u32 n;
out     u32 y[n];
out     u32 z[n];
out     u32 w[n];
scratch u32 a[n];

kernel (n) workgroup(2) {
    let keep = gid.x + 1;
    {
        let t = gid.x * 10;
        a[gid.x] = t;
        grid_barrier;
        y[gid.x] = t;
    }
    {
        let t = a[n - 1 - gid.x] * 2;
        let keep = t + a[n - 1 - gid.x];
        grid_barrier;
        a[gid.x] = 0;
        z[gid.x] = keep + a[gid.x] + (t - t);
    }
    w[gid.x] = keep;
}
