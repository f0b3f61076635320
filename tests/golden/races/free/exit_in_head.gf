// The flag is looked at in a head: once for the whole grid, between two grid barriers.
//! out turns: 1 1 1 1
program exit_in_head;
scratch u32 stop[1];
out u32 turns[4];
kernel (4) workgroup(2) {
    grid loop {
        turns[gid.x] += 1;
        if gid.x == 0 {
            stop[0] = 1;
        }
        grid if stop[0] != 0 {
            break;
        }
    }
}
