// The first of each workgroup returns first: the others go on, with their barriers, ids and votes.
//! args --set groups=3
//! out y: 0 4 4 4 0 4 4 4 0 4 4 4
//! out votes: 9 0
//! order-free yes
program b34_first;

param   u32 groups;
out     u32 y[groups * 4];
out     u32 votes[2];
scratch u32 a[groups * 4];

kernel groups (groups) workgroup(4) {
    let n = groups * 4;
    let v = gid.x;
    if lid.x == 0 { return; }
    for i in 0 .. 4 {
        a[n - 1 - v] = i;
        grid_barrier;
        y[v] += 1;
        grid_barrier;
    }
    let some = grid_add(u32(1));
    let low = grid_any(lid.x == 0);
    if v == n - 1 { votes[0] = some; votes[1] = u32(low); }
}
