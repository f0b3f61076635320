// One flag with two barriers a round: clear, barrier, raise, barrier, look, barrier.
//! out x: 3 3 3 3
program flag_between_barriers;
scratch u32 grew[1];
out u32 x[4];
kernel (4) workgroup(2) {
    for turn in 0 .. 3 {
        if gid.x == 0 {
            grew[0] = 0;
        }
        grid_barrier;
        if gid.x > turn {
            grew[0] = 1;
        }
        grid_barrier;
        x[gid.x] += grew[0];
        grid_barrier;
    }
}
