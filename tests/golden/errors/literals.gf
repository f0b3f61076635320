// GF0206: literals that do not fit; those that do are silent.
program literals;
param u32 n;
param f32 big = 1e50;
out i32 x[n];
out f32 y[n];

kernel (n) {
    let v = gid.x;
    x[v] = -2147483648;
    x[v] = 2147483648;
    x[v] = -2147483649;
    x[v] = 0xffffffff;
    x[v] = i32(0xffffffff);
    let a = 0x100000000;
    let b = u64(0x100000000);
    y[v] = 16777217;
    y[v] = 16777216;
    y[v] = 1;
    y[v] = 1e39;
    let c = v + 5000000000;
    let d = f64(1e300);
    let e = v << 40;
}
