// GF0202: declarations with one name.
program names_twice;
param u32 n;
inout u32 x[n];
out f32 x[n];
fn u32 f(u32 a, u32 a) { return a; }
kernel (n) { x[gid.x] = f(1, 2); }
