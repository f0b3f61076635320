// The same for one workgroup, over its own array.
//! out turns: 1 1 2 2
program group_exit_in_head;
shared u32 stop[1];
out u32 turns[4];
kernel groups(2) workgroup(2) {
    group while stop[0] < wid.x + 1 {
        turns[gid.x] += 1;
        if lid.x == 1 {
            stop[0] += 1;
        }
    }
}
