// GF0303 GF0305: a barrier under a condition on ids.
program barrier_under_ids;
param u32 n;
inout u32 x[n];
fn sync() { barrier; }
fn meet(u32 v) { x[v] = 1; grid_barrier; }
kernel (n) {
    let v = gid.x;
    if wid.x == 0 { grid_barrier; }
    if wid.x == 0 { barrier; }
    if v < 10 { barrier; }
    if v < 10 { sync(); }
    if v < 10 { meet(v); }
    for e in x[v] .. x[v + 1] { let all = group_add(e); }
    loop {
        grid_barrier;
        if v == 3 { break; }
        if x[0] == 3 { continue; }
    }
    group while v < 3 { x[v] = 1; }
    grid for i in 0 .. v { x[v] = i; }
    if v == 1 { grid if n == 1 { x[0] = 1; } }
}
