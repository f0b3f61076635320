// The same in f64, f16 in storage, and a NaN that crosses barriers in variables and through group operations.
//! args --set zero=0 --in x=0,inf
//! out y: 9221120237041090560 9221120237041090560 9221120237041090560 9221120237041090560 9221120237041090560
//! out h: nan nan
//! out f: 2143289344 2143289344 2143289344
//! order-free yes
program b38_f64;

param f64 zero;
in    f64 x[2];
out   u64 y[5];
out   f16 h[2];
out   u32 f[3];

kernel (3) workgroup(2) {
    let v = gid.x;
    let bad = zero / zero;
    let worse = x[1] - x[1];
    let low = f32(x[0] / x[0]);
    var f64 kept = -bad;
    grid_barrier;
    if v == 0 {
        y[0] = bitcast<u64>(bad);
        y[1] = bitcast<u64>(worse);
        y[2] = bitcast<u64>(kept);
        y[3] = bitcast<u64>(f64(-low));
        y[4] = bitcast<u64>(bitcast<f64>(18446744073709551615));
        h[0] = low;
        h[1] = f32(worse);
    }
    let sum = grid_add(select(v == 1, low, 1.0));
    f[v] = bitcast<u32>(-sum);
}
