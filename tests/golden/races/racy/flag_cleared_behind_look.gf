// The flag is cleared right behind the look at it: some have not looked yet.
//! race grew clear look
program flag_cleared_behind_look;
scratch u32 grew[1];
out u32 x[4];
kernel (4) workgroup(2) {
    for turn in 0 .. 3 {
        if gid.x == turn {
            grew[0] = 1;
        }
        grid_barrier;
        x[gid.x] += grew[0]; // @look
        if gid.x == 0 {
            grew[0] = 0; // @clear
        }
        grid_barrier;
    }
}
