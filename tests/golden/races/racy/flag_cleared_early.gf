// The flag is cleared for the next turn in the stretch in which others raise it.
//! race grew clear raise
program flag_cleared_early;
scratch u32 grew[1];
out u32 x[4];
kernel (4) workgroup(2) {
    for turn in 0 .. 3 {
        if gid.x == 0 {
            grew[0] = 0; // @clear
        }
        if gid.x == turn + 1 {
            grew[0] = 1; // @raise
        }
        grid_barrier;
        x[gid.x] += grew[0];
        grid_barrier;
    }
}
