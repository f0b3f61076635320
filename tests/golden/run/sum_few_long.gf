// Sums over the grid of few but long invocations, workgroup by workgroup: who leaves early says nothing.
//! args --set n=200 --in x=iota
//! out sum: 25008.98
//! case four workgroups and a bit
//! args --set n=260 --in x=iota
//! out sum: 38154.953
program sum_few_long;

param u32 n;
in f32 x[n];
out f32 sum[1];

kernel(n) workgroup(64) {
    var f32 t = x[gid.x];
    for i in 0 .. gid.x % 7 * 100 {
        t = t * 0.999 + 0.25;
    }
    if gid.x % 13 == 3 {
        return;
    }
    let all = grid_add(t);
    if gid.x == 0 {
        sum[0] = all;
    }
}
