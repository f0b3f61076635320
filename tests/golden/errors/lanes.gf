// GF0321: the last workgroup is cut short.
program lanes;
in u32 c[64];
inout u32 count[64];
shared u32 w[64];
kernel (270) workgroup(64) {
    if lid.x < 32 { atomic_add(count[lid.x], c[lid.x]); }
    w[lid.x] = 1;
    barrier;
    let t = lid.x;
    if t == 0 { count[0] = w[0]; }
    count[1] = w[63 - t];
}
