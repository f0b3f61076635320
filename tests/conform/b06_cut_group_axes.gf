// The same in a space of two axes that are both cut.
//! args --set n=3 --set m=5
//! out y: 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15
program b06_cut_axes;

param  u32 n;
param  u32 m;
out    u32 y[n * m];
shared u32 w[8];

kernel (n, m) workgroup(2, 4) {
    w[7 - lid.linear] = gid.linear + 1;
    grid_barrier;
    y[gid.linear] = w[7 - lid.linear];
}
