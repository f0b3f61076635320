// Inside a grid-level if there is no order but its edges.
//! race y write read
program inside_grid_if;
param u32 go = 1;
scratch u32 y[4];
out u32 x[4];
kernel (4) workgroup(2) {
    grid if go == 1 {
        y[gid.x] = 1; // @write
        x[gid.x] = y[3 - gid.x]; // @read
    }
}
