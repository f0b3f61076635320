// A gather through an index behind a grid barrier, whatever the data says.
//! args --in from=3,3,0,1
//! out x: 9 9 0 1
program gather_by_data;
in u32 from[4];
scratch u32 y[4];
out u32 x[4];
kernel (4) workgroup(2) {
    y[gid.x] = gid.x * gid.x;
    grid_barrier;
    x[gid.x] = y[from[gid.x]];
}
