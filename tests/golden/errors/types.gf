// GF0204 GF0205: there is no implicit conversion.
program types;
param u32 n;
param f32 damping = 0.85;
inout f32 x[n];
inout u32 k[n];
inout u8 small[n];

kernel (n) {
    let v = gid.x;
    let a = v + damping;
    let b = i32(v) * v;
    x[v] = v;
    k[v] = 1.5;
    var f32 sum = v;
    var i32 s = 0;
    s += v;
    s <<= v;
    if v { k[v] = 1; }
    while k[v] & 1 { k[v] = 0; }
    let c = sqrt(v);
    let d = !v;
    let e = damping % 2;
    let f = damping << 1;
    let g = true + false;
    let h = select(v, 1, 2);
    let i = select(v > 1, 1.0, v);
    let j = v == damping;
    let l = true && v;
    let m = ~damping;
    let o = is_nan(v);
    let p = x[damping];
    for q in 0 .. damping { k[v] = 1; }
    for q in v .. i32(9) { k[v] = 1; }
    let r = true == 1;
    small[v] = -1;
    atomic_add(k[v], 1.0);
    assert(v, "v");
}
