// Two flags in turn; the one that is cleared is the one being looked at.
//! race grew clear look
program two_flags;
scratch u32 grew[2];
out u32 x[4];
kernel (4) workgroup(2) {
    for turn in 0 .. 4 {
        if gid.x == 1 {
            atomic_store(grew[turn % 2], 1);
        }
        grid_barrier;
        x[gid.x] += grew[turn % 2]; // @look
        if gid.x == 0 {
            grew[turn % 2] = 0; // @clear
        }
    }
}
