// GF0207: types that only arrays hold, and that none does.
program elements;
param u8 n = 3;
const f16 HALF = 0.5;
in bool mask[4];
out u32 x[4];
shared bool seen[64];
fn f16 half(u16 a) { return a; }

kernel (4) workgroup(64) {
    let v = gid.x;
    var u8 a = 3;
    var u8 b[4];
    b[0] = 300;
    x[v] = b[0];
    let c = u8(v);
    let d = bitcast<u8>(v);
    let e = bitcast<u64>(v);
    let f = bitcast<f32>(v);
}
