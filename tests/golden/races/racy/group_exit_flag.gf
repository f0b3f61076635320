// A loop of the workgroup whose way out another workgroup opens: the head of one against the store of the other.
//! stderr GF0322
//! race stop raise look
program group_exit_flag;
scratch u32 stop[1];
out u32 turns[4];
kernel groups(2) workgroup(2) {
    var u32 t = 0;
    group while t < 3 && stop[0] == 0 { // @look
        barrier;
        t += 1;
        if gid.x == 3 {
            stop[0] = 1; // @raise
        }
    }
    turns[gid.x] = t;
}
