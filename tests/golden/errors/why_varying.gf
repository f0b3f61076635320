// GF0303, GF0304: each end that a chain of definitions may have.
program why_varying;
param u32 n;
inout u32 x[n];
in u32 fixed[n];
shared u32 w[8];
fn u32 own() { return gid.x + 1; }
fn u32 loaded(u32 i) { return x[i]; }
fn u32 counted() { return atomic_add(x[0], 1); }
fn u32 far() { return own() * 2; }
fn u32 of_group() { return w[0] + fixed[0]; }
kernel groups(n) workgroup(8) {
    let v = gid.x;
    var u32 mine[4];
    mine[1] = v;
    w[lid.x] = v;
    var u32 late = 0;
    if x[v] > 2 {
        var u32 inner = 1;
        late += inner;
    }
    let scan = group_scan_add(x[v]);
    let all = group_add(x[v]);
    let one = atomic_load(x[0]);
    if own() > 3 { grid_barrier; }
    if far() > 3 { grid_barrier; }
    let l = loaded(0);
    if l > 3 { grid_barrier; }
    if counted() > 3 { grid_barrier; }
    if mine[0] > 3 { grid_barrier; }
    if w[0] > 3 { grid_barrier; }
    let from_w = w[1];
    if from_w > 3 { barrier; }
    if of_group() > 3 { grid_barrier; }
    if scan > 3 { grid_barrier; }
    if all > 3 { grid_barrier; }
    if one > 3 { grid_barrier; }
    if atomic_load(x[1]) > 3 { grid_barrier; }
    for i in 0 .. late { grid_barrier; }
    if wid.x > 1 { grid_barrier; }
}
