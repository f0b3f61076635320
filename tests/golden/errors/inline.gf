// GF0312 GF0313: functions that hold a barrier.
program inline;
param u32 n;
inout u32 x[n];
fn u32 total(u32 a) { let t = group_add(a); return t; }
fn early(u32 a) { if a == 0 { return; } barrier; }
fn u32 late(u32 a) { barrier; if a == 0 { return 1; } return 2; }
kernel (n) {
    let v = gid.x;
    x[v] = total(v);
    let y = 1 + total(v);
    let z = total(v);
    if total(v) == 1 { x[v] = 1; }
    early(v);
}
