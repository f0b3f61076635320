// A right-hand side of zeros: `>` against a goal of zero ends at once, no NaN.
//! out x: 0 0 0
//! out its: 0
//! converged yes
program anchor58;

out f32 x[3];
out u32 its[1];

kernel (3) workgroup(2) {
    var f32 r = 0.0;
    var f32 rr = grid_add(r * r);
    let goal = 0.000001 * rr;
    var u32 it = 0;
    while it < 10 && rr > goal {
        r = r / rr;
        rr = grid_add(r * r);
        it += 1;
    }
    converged(!(rr > goal));
    x[gid.x] = r;
    if gid.x == 0 { its[0] = it; }
}
