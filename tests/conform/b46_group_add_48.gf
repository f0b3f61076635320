// The bits of group_add of f32 in the fixed order, workgroups of 48, the last one cut short; summed with the number of
// the workgroup as a weight, and those of the last.
//! args --set n=31
//! out y: 1140576876 1140576876
//! case 0
//! args --set n=0
//! out y: 0 0
//! case 1
//! args --set n=1
//! out y: 3229614080 3229614080
//! case 256
//! args --set n=256
//! out y: 2743126482 1149306872
//! case 4097
//! args --set n=4097
//! out y: 875803973 1151630550
program b46_group_48;

param u32 n;
out   u32 y[2];

fn f32 value(u32 i) {
    let h = i32((i * 2654435761) >> 8) - 8388608;
    return f32(h) / 4096.0 * select(i % 7 == 0, 0.001953125, 1.0);
}

kernel (n) workgroup(48) {
    let s = group_add(value(gid.x));
    if lid.x == 0 { atomic_add(y[0], bitcast<u32>(s) * (wid.x + 1)); }
    if gid.x == n - 1 { y[1] = bitcast<u32>(s); }
}
