// The other order: look, leave, else raise the flag for the next turn.
//! out turns: 2 2 2 2
program exit_over_back_edge;
scratch u32 done[1];
out u32 turns[4];
kernel (4) workgroup(2) {
    loop {
        turns[gid.x] += 1;
        if done[0] != 0 {
            break;
        }
        if gid.x == 0 {
            done[0] = 1;
        }
        grid_barrier;
    }
}
