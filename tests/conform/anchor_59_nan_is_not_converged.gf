// A residual that becomes NaN in the third round ends there, and is not converged.
//! out its: 3
//! converged no
program anchor59;

out u32 its[1];

kernel (4) workgroup(2) {
    var u32 it = 0;
    var bool bad = false;
    var f32 worst = 1.0;
    while it < 100 && !bad && worst > 0.001 {
        it += 1;
        let zero = f32(3 - min(it, 3));
        let d = select(it == 3, zero / zero, 1.0);
        bad = grid_any(is_nan(d));
        worst = grid_max(d);
    }
    converged(!bad && worst <= 0.001);
    if gid.x == 1 { its[0] = it; }
}
