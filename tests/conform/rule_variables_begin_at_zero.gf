// A `var` without a value is 0, in every turn of a loop anew; so are private arrays; workgroup arrays at the start of
// every pass, though another pass left something there.
//! args --passes 2
//! out y: 0 1 0 1 0 1
//! out z: 0 0 0 0 0 0
//! passes 2
//! order-free yes
program rule_zero;

out    u32 y[6];
out    u32 z[6];
out    u32 tick[1];
shared u32 w[2];
shared i8  s[2];

kernel groups (3) workgroup(2) {
    var u32 a;
    var f32 f;
    var bool b;
    var i64 l;
    var u32 bad = 0;
    for turn in 0 .. 3 {
        var u32 inner;
        var u16 array[3];
        bad += inner + array[turn] + array[(turn + 1) % 3];
        inner = 5;
        array[turn] = 6;
        bad += inner - 5;
    }
    z[gid.x] = a + bitcast<u32>(f) + u32(b) + u32(l) + bad + w[lid.x] + u32(s[lid.x] != 0);
    w[lid.x] = 9;
    s[lid.x] = -1;
    y[gid.x] = lid.x;
    if gid.x == 0 { tick[0] += 1; }
}
