// The bits of grid_add of f32 in the fixed order, workgroups of 48: by lid within a workgroup, then by wid.
//! args --set n=31
//! out y: 1140576876 1140576876
//! order-free yes
//! case 0
//! args --set n=0
//! out y: 0 0
//! case 1
//! args --set n=1
//! out y: 3229614080 3229614080
//! case 256
//! args --set n=256
//! out y: 3314704868 3314704868
//! case 4097
//! args --set n=4097
//! out y: 3324924725 3324924725
program b46_grid_48;

param u32 n;
out   u32 y[2];

fn f32 value(u32 i) {
    let h = i32((i * 2654435761) >> 8) - 8388608;
    return f32(h) / 4096.0 * select(i % 7 == 0, 0.001953125, 1.0);
}

kernel (n) workgroup(48) {
    let s = grid_add(value(gid.x));
    if gid.x == 0 { y[0] = bitcast<u32>(s); }
    if gid.x == n - 1 { y[1] = bitcast<u32>(s); }
}
