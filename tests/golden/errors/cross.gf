// GF0306: operations over the group or grid stand alone.
program cross;
param u32 n;
inout u32 x[n];
inout f32 y[n];
kernel (n) {
    let v = gid.x;
    var u32 it = 0;
    var bool grew = false;
    while it < n && grid_any(grew) { it += 1; }
    let q = y[v] / grid_add(y[v]);
    x[v] = group_scan_add(x[v]);
    if grid_max(x[v]) > 3 { it += 1; }
    if !grid_any(grew) { it += 1; }
    if grid_max(x[v]) * 2 > 3 { it += 1; }
    it += grid_add(x[v]);
    for i in 0 .. grid_max(x[v]) { x[v] = 1; }
    let s = grid_scan_add(y[v]);
    let t = grid_add(grew);
    let u = grid_any(x[v]);
    assert(grid_any(grew), "grew");
    if max(grid_max(x[v]), 2) > 1 { it += 1; }
}
