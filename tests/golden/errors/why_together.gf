// GF0303, GF0304: what makes the grid take control flow together, one kind each.
program why_together;
param u32 n;
inout u32 x[n];
inout u32 y[n];
kernel (n) {
    let v = gid.x;
    if x[v] > 0 { swap(x, y); }
    if x[v] > 1 { all_reduce(x, add); }
    if x[v] > 2 { forall i in 0 .. n { y[i] = 1; } }
    if x[v] > 3 { let s = grid_add(x[v]); y[v] = s; }
    if x[v] > 4 { let s = group_add(x[v]); y[v] = s; }
    if x[v] > 5 { grid while y[0] > 3 { y[0] -= 1; } }
    if x[v] > 6 { grid if y[0] > 3 { y[0] -= 1; } }
    if x[v] > 7 { group for i in 0 .. 3 { y[0] -= 1; } }
    if x[v] > 8 { group loop { break; } }
    for i in 0 .. 4 { converged(x[v] > 3); }
    for i in 0 .. x[v] { if x[0] > 1 { grid_barrier; } }
    while x[v] > 9 { for j in 0 .. 3 { barrier; } }
}
