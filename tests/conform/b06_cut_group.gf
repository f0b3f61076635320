// The last workgroup is cut short: the lanes that it has save and restore the whole of its array.
//! args --set n=5
//! out y: 1 2 3 4 5
//! case half a group
//! args --set n=6
//! out y: 1 2 3 4 5 6
program b06_cut;

param  u32 n;
out    u32 y[n];
shared u32 w[4];

kernel (n) workgroup(4) {
    w[3 - lid.x] = gid.x + 1;
    grid_barrier;
    y[gid.x] = w[3 - lid.x];
}
