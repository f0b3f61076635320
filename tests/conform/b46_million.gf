// A million items: three levels of blocks by `reduce`, and grid_add with workgroups of 256.
//! long
//! args --set n=1000000
//! out y: 3310655648 3310655588
//! races no
program b46_million;

param u32 n;
out   u32 y[2];

fn f32 value(u32 i) {
    let h = i32((i * 2654435761) >> 8) - 8388608;
    return f32(h) / 4096.0 * select(i % 7 == 0, 0.001953125, 1.0);
}

kernel (n) workgroup(256) {
    var f32 s = 0.0;
    forall i in 0 .. n reduce(add s) { s += value(i); }
    let g = grid_add(value(gid.x));
    if gid.x == 0 { y[0] = bitcast<u32>(s); y[1] = bitcast<u32>(g); }
}
