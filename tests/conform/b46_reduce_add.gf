// The bits of `forall ... reduce(add)` in the fixed order, by i - a; combined into the old value at the end. Of nothing,
// the old value stays, a negative zero among them.
//! args --set n=31
//! out y: 1142360374 1137642504
//! case 0
//! args --set n=0
//! out y: 1120468992 2147483648
//! case 1
//! args --set n=1
//! out y: 1119944704 1152732378
//! case 256
//! args --set n=256
//! out y: 3314499041 3313374899
//! case 4097
//! args --set n=4097
//! out y: 3324821819 3325945172
//! case 8192
//! args --set n=8192
//! out y: 3321396233 3319049947
//! case 70000
//! args --set n=70000
//! out y: 3319832188 3313672010
program b46_reduce;

param u32 n;
out   u32 y[2];

fn f32 value(u32 i) {
    let h = i32((i * 2654435761) >> 8) - 8388608;
    return f32(h) / 4096.0 * select(i % 7 == 0, 0.001953125, 1.0);
}

kernel {
    var f32 s = 100.5;
    var f32 t = -0.0;
    forall i in 0 .. n reduce(add s) { s += value(i); }
    forall i in 3 .. n + 3 reduce(add t) { t = value(i); }
    forall one in 0 .. 1 { y[0] = bitcast<u32>(s); y[1] = bitcast<u32>(t); }
}
