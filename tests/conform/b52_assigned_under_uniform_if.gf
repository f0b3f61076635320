// `if it == 0 { goal = ... }` at grid level: goal stays a grid-level variable, fit for a loop's head.
//! args --set n=4
//! out turns: 3
//! out goal_out: 12
//! order-free yes
program b52;

param u32 n;
out   u32 turns[1];
out   u32 goal_out[1];

kernel (n) workgroup(2) {
    var u32 goal = 1000;
    var u32 it = 0;
    var u32 rr = 24;
    while rr > goal || it < 3 {
        rr = grid_add(u32(6));
        if it == 0 { goal = rr / 2; }
        it += 1;
        if it >= 3 { rr = 0; }
    }
    if gid.x == 1 { turns[0] = it; goal_out[0] = goal; }
}
