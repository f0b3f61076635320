// Operations of the workgroup are barriers of it.
//! out x: 3 1 7 5
program group_operations_order;
shared u32 w[2];
out u32 x[4];
kernel groups(2) workgroup(2) {
    w[lid.x] = gid.x;
    let any = group_any(lid.x == 0);
    x[gid.x] = w[1 - lid.x] + u32(any);
    let first = group_min(gid.x);
    w[1 - lid.x] = first;
    let before = group_scan_add(1);
    x[gid.x] += w[lid.x] + 1 - before;
}
