// Partial exit across a loop's back edge: one raises the flag in its turn while others look whether to take another.
//! race stop raise look
program early_exit_flag;
scratch u32 stop[1];
out u32 turns[4];
kernel (4) workgroup(2) {
    var u32 t = 0;
    while t < 3 {
        if stop[0] != 0 { // @look
            break;
        }
        t += 1;
        if gid.x == 3 && t == 2 {
            stop[0] = 1; // @raise
        }
    }
    turns[gid.x] = t;
}
