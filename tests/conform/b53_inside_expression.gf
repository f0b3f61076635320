// And one inside an expression.
//! args --set n=4
//! status 1
//! error GF0306
//! stderr let
program b53_expression;

param u32 n;
in    f32 x[n];
out   f32 y[n];

kernel (n) workgroup(2) {
    var f32 rr = 4.0;
    let alpha = rr / grid_add(x[gid.x]);
    y[gid.x] = alpha;
}
