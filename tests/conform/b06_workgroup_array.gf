// A workgroup array keeps its contents across a grid barrier; those of each workgroup stay apart.
//! args --set groups=5
//! out y: 3 2 1 0 103 102 101 100 203 202 201 200 303 302 301 300 403 402 401 400
//! out z: 0 1 2 3 0 1 2 3 0 1 2 3 0 1 2 3 0 1 2 3
//! segments 2
//! order-free yes
//! case one group
//! args --set groups=1
//! out y: 3 2 1 0
//! out z: 0 1 2 3
program b06;

param   u32 groups;
out     u32 y[groups * 4];
out     u32 z[groups * 4];
scratch u32 a[groups * 4];
shared  u32 w[4];

kernel groups (groups) workgroup(4) {
    w[lid.x] = wid.x * 100 + lid.x;
    a[gid.x] = lid.x;
    grid_barrier;
    y[gid.x] = w[3 - lid.x];
    z[gid.x] = a[(gid.x + 4) % (groups * 4)];
}
