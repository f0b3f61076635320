// Silent: an if at grid level keeps the variables that it assigns (a construct of its own).
program grid_variables;
param u32 n;
param f32 tol = 0.1;
inout f32 x[n];
out u32 turns[1];
kernel (n) {
    let v = gid.x;
    var f32 goal = 0.0;
    var f32 rr = 1.0;
    var u32 it = 0;
    while it < 10 && rr >= goal {
        rr = grid_max(x[v]);
        if it == 0 { goal = tol * rr; }
        if it == 5 { return; }
        x[v] *= 0.5;
        it += 1;
    }
    if v == 0 { turns[0] = it; }
}
