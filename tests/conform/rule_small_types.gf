// Small element types widen on load and wrap on store: in buffers, workgroup arrays and private arrays.
//! args --in x=300,-1,-129,70000,127,255
//! out a: 44 255 127 112 127 255
//! out b: 44 -1 127 112 127 -1
//! out c: 300 65535 65407 4464 127 255
//! out d: 300 -1 -129 4464 127 255
//! out sum: 920
//! out local: 44 -1 127 112 127 -1
//! order-free yes
program rule_small;

in  i32 x[6];
out u8  a[6];
out i8  b[6];
out u16 c[6];
out i16 d[6];
out u32 sum[1];
out i32 local[6];
shared i8 w[6];

kernel groups (1) workgroup(6) {
    let i = gid.x;
    a[i] = u32(x[i]);
    b[i] = x[i];
    c[i] = u32(x[i]);
    d[i] = x[i];
    w[i] = x[i];
    var u8 p[2];
    p[1] = u32(x[i]);
    barrier;
    local[5 - i] = w[5 - i];
    atomic_add(sum[0], p[1] + p[0] + 0 * a[i]);
}
