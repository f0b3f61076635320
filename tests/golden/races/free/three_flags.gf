// Three flags in turn: one is raised, one is looked at, one is cleared, and one barrier a round is enough.
//! out x: 3 3 3 3
program three_flags;
scratch u32 grew[3];
out u32 x[4];
kernel (4) workgroup(2) {
    for turn in 0 .. 4 {
        if gid.x == 1 && turn < 3 {
            grew[turn % 3] = 1;
        }
        if gid.x == 0 {
            grew[(turn + 1) % 3] = 0;
        }
        grid_barrier;
        x[gid.x] += grew[turn % 3];
    }
}
