// An integer to a float: nearest, ties to even.
// Rows: bitcast<u32>(f32(A)).
// The same operands loaded, as literals, as params, and mixed.
//! args --in a=0,1,-1,7,-7,2147483647,-2147483648,-2147483647,-696739139,16777217,16777219,33554431,1,3,0,1 --in b=0,1,-1,7,-7,2147483647,-2147483648,-2147483647,-696739139,16777217,16777219,33554431,1,3,0,1 --set p0=0 --set q0=0 --set p1=1 --set q1=1 --set p2=-1 --set q2=-1 --set p3=7 --set q3=7 --set p4=-7 --set q4=-7 --set p5=2147483647 --set q5=2147483647 --set p6=-2147483648 --set q6=-2147483648 --set p7=-2147483647 --set q7=-2147483647 --set p8=-696739139 --set q8=-696739139 --set p9=16777217 --set q9=16777217 --set p10=16777219 --set q10=16777219 --set p11=33554431 --set q11=33554431 --set p12=1 --set q12=1 --set p13=3 --set q13=3 --set p14=0 --set q14=0 --set p15=1 --set q15=1
//! out loaded: 0 1065353216 3212836864 1088421888 3235905536 1325400064 3472883712 3472883712 3458604437 1266679808 1266679810 1275068416 1065353216 1077936128 0 1065353216
//! out literals: 0 1065353216 3212836864 1088421888 3235905536 1325400064 3472883712 3472883712 3458604437 1266679808 1266679810 1275068416 1065353216 1077936128 0 1065353216
//! out params: 0 1065353216 3212836864 1088421888 3235905536 1325400064 3472883712 3472883712 3458604437 1266679808 1266679810 1275068416 1065353216 1077936128 0 1065353216
//! out mixed: 0 1065353216 3212836864 1088421888 3235905536 1325400064 3472883712 3472883712 3458604437 1266679808 1266679810 1275068416 1065353216 1077936128 0 1065353216
//! order-free yes
program rule_cast_i32_f32;

param i32 p0;
param i32 q0;
param i32 p1;
param i32 q1;
param i32 p2;
param i32 q2;
param i32 p3;
param i32 q3;
param i32 p4;
param i32 q4;
param i32 p5;
param i32 q5;
param i32 p6;
param i32 q6;
param i32 p7;
param i32 q7;
param i32 p8;
param i32 q8;
param i32 p9;
param i32 q9;
param i32 p10;
param i32 q10;
param i32 p11;
param i32 q11;
param i32 p12;
param i32 q12;
param i32 p13;
param i32 q13;
param i32 p14;
param i32 q14;
param i32 p15;
param i32 q15;
in  i32 a[16];
in  i32 b[16];
out u32 loaded[16];
out u32 literals[16];
out u32 params[16];
out u32 mixed[16];

kernel (16) workgroup(4) {
    let i = gid.x;
    loaded[0 + i] = bitcast<u32>(f32(a[i]));
    if i == 0 {
        literals[0] = bitcast<u32>(f32(i32(0)));
        params[0] = bitcast<u32>(f32(p0));
        mixed[0] = bitcast<u32>(f32(i32(0)));
    }
    if i == 1 {
        literals[1] = bitcast<u32>(f32(i32(1)));
        params[1] = bitcast<u32>(f32(p1));
        mixed[1] = bitcast<u32>(f32(a[i]));
    }
    if i == 2 {
        literals[2] = bitcast<u32>(f32(i32(-1)));
        params[2] = bitcast<u32>(f32(p2));
        mixed[2] = bitcast<u32>(f32(i32(-1)));
    }
    if i == 3 {
        literals[3] = bitcast<u32>(f32(i32(7)));
        params[3] = bitcast<u32>(f32(p3));
        mixed[3] = bitcast<u32>(f32(a[i]));
    }
    if i == 4 {
        literals[4] = bitcast<u32>(f32(i32(-7)));
        params[4] = bitcast<u32>(f32(p4));
        mixed[4] = bitcast<u32>(f32(i32(-7)));
    }
    if i == 5 {
        literals[5] = bitcast<u32>(f32(i32(2147483647)));
        params[5] = bitcast<u32>(f32(p5));
        mixed[5] = bitcast<u32>(f32(a[i]));
    }
    if i == 6 {
        literals[6] = bitcast<u32>(f32((i32(-2147483647) - 1)));
        params[6] = bitcast<u32>(f32(p6));
        mixed[6] = bitcast<u32>(f32((i32(-2147483647) - 1)));
    }
    if i == 7 {
        literals[7] = bitcast<u32>(f32(i32(-2147483647)));
        params[7] = bitcast<u32>(f32(p7));
        mixed[7] = bitcast<u32>(f32(a[i]));
    }
    if i == 8 {
        literals[8] = bitcast<u32>(f32(i32(-696739139)));
        params[8] = bitcast<u32>(f32(p8));
        mixed[8] = bitcast<u32>(f32(i32(-696739139)));
    }
    if i == 9 {
        literals[9] = bitcast<u32>(f32(i32(16777217)));
        params[9] = bitcast<u32>(f32(p9));
        mixed[9] = bitcast<u32>(f32(a[i]));
    }
    if i == 10 {
        literals[10] = bitcast<u32>(f32(i32(16777219)));
        params[10] = bitcast<u32>(f32(p10));
        mixed[10] = bitcast<u32>(f32(i32(16777219)));
    }
    if i == 11 {
        literals[11] = bitcast<u32>(f32(i32(33554431)));
        params[11] = bitcast<u32>(f32(p11));
        mixed[11] = bitcast<u32>(f32(a[i]));
    }
    if i == 12 {
        literals[12] = bitcast<u32>(f32(i32(1)));
        params[12] = bitcast<u32>(f32(p12));
        mixed[12] = bitcast<u32>(f32(i32(1)));
    }
    if i == 13 {
        literals[13] = bitcast<u32>(f32(i32(3)));
        params[13] = bitcast<u32>(f32(p13));
        mixed[13] = bitcast<u32>(f32(a[i]));
    }
    if i == 14 {
        literals[14] = bitcast<u32>(f32(i32(0)));
        params[14] = bitcast<u32>(f32(p14));
        mixed[14] = bitcast<u32>(f32(i32(0)));
    }
    if i == 15 {
        literals[15] = bitcast<u32>(f32(i32(1)));
        params[15] = bitcast<u32>(f32(p15));
        mixed[15] = bitcast<u32>(f32(a[i]));
    }
}
