// A turn of a grid-level while orders with the next turn, not within itself.
//! race y write read
program inside_grid_while;
scratch u32 y[4];
out u32 x[4];
kernel (4) workgroup(2) {
    var u32 t = 0;
    grid while t < 2 {
        x[gid.x] = y[(gid.x + 2) % 4]; // @read
        y[gid.x] = t; // @write
        t += 1;
    }
}
