// As a whole operand of a head's condition it is allowed, and evaluated once per turn.
//! args --in x=1,2,3
//! out x: 0 0 0
//! out turns: 4
//! order-free yes
program b53_operand;

inout u32 x[3];
out   u32 turns[1];

kernel (3) workgroup(2) {
    let v = gid.x;
    var u32 t = 0;
    while grid_max(x[v]) > 0 {
        if x[v] > 0 { x[v] -= 1; }
        t += 1;
    }
    if grid_any(x[v] != 0) { t = 100; }
    if v == 2 { turns[0] = t + 1; }
}
