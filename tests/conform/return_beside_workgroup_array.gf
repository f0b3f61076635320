// Returns in a stretch whose workgroup array lives on: returned invocations save it with the others, and do nothing else;
// they load nothing, give nothing to the group, and yet its loop with barriers takes them along.
//! args --in x=1,2,3,4,5,6,7,8,9,10
//! out y: 163 1033 1 2153 583 1593 2603 3573 483 1113 3 3 3 3 3 3
//! order-free yes
//! case checked
//! args --in x=1,2,3,4,5,6,7,8,9,10 --checked
//! out y: 163 1033 1 2153 583 1593 2603 3573 483 1113 3 3 3 3 3 3
program returns_beside;

in     u32 x[];
out    u32 y[16];
shared u32 w[4];

kernel groups(4) workgroup(4) {
    let v = gid.x;
    w[lid.x] = v + 1;
    grid_barrier;
    for i in 0 .. 4 {
        if v == 2 && i == 1 { return; }
        if i == 2 { continue; }
        y[v] += 1;
    }
    if v >= len(x) { return; }
    let t = x[v];
    let s = group_add(t);
    var u32 k = 0;
    while k < 2 {
        w[lid.x] += s;
        k += 1;
        barrier;
    }
    let c = group_scan_add(u32(1));
    grid_barrier;
    y[v] += w[(lid.x + 1) % 4] * 10 + c * 1000;
}
