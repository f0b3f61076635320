// An integer to a float: nearest, ties to even.
// Rows: bitcast<u64>(f64(A)).
// The same operands loaded, as literals, as params, and mixed.
//! args --in a=0,1,7,2147483647,2147483648,2147483649,4294967295,4294967289,734916625,16777217,16777219,33554431,1,3,0,1 --in b=0,1,7,2147483647,2147483648,2147483649,4294967295,4294967289,734916625,16777217,16777219,33554431,1,3,0,1 --set p0=0 --set q0=0 --set p1=1 --set q1=1 --set p2=7 --set q2=7 --set p3=2147483647 --set q3=2147483647 --set p4=2147483648 --set q4=2147483648 --set p5=2147483649 --set q5=2147483649 --set p6=4294967295 --set q6=4294967295 --set p7=4294967289 --set q7=4294967289 --set p8=734916625 --set q8=734916625 --set p9=16777217 --set q9=16777217 --set p10=16777219 --set q10=16777219 --set p11=33554431 --set q11=33554431 --set p12=1 --set q12=1 --set p13=3 --set q13=3 --set p14=0 --set q14=0 --set p15=1 --set q15=1
//! out loaded: 0 4607182418800017408 4619567317775286272 4746794007244308480 4746794007248502784 4746794007250599936 4751297606873776128 4751297606861193216 4739448135846199296 4715268810125344768 4715268810662215680 4719772409215844352 4607182418800017408 4613937818241073152 0 4607182418800017408
//! out literals: 0 4607182418800017408 4619567317775286272 4746794007244308480 4746794007248502784 4746794007250599936 4751297606873776128 4751297606861193216 4739448135846199296 4715268810125344768 4715268810662215680 4719772409215844352 4607182418800017408 4613937818241073152 0 4607182418800017408
//! out params: 0 4607182418800017408 4619567317775286272 4746794007244308480 4746794007248502784 4746794007250599936 4751297606873776128 4751297606861193216 4739448135846199296 4715268810125344768 4715268810662215680 4719772409215844352 4607182418800017408 4613937818241073152 0 4607182418800017408
//! out mixed: 0 4607182418800017408 4619567317775286272 4746794007244308480 4746794007248502784 4746794007250599936 4751297606873776128 4751297606861193216 4739448135846199296 4715268810125344768 4715268810662215680 4719772409215844352 4607182418800017408 4613937818241073152 0 4607182418800017408
//! order-free yes
program rule_cast_u32_f64;

param u32 p0;
param u32 q0;
param u32 p1;
param u32 q1;
param u32 p2;
param u32 q2;
param u32 p3;
param u32 q3;
param u32 p4;
param u32 q4;
param u32 p5;
param u32 q5;
param u32 p6;
param u32 q6;
param u32 p7;
param u32 q7;
param u32 p8;
param u32 q8;
param u32 p9;
param u32 q9;
param u32 p10;
param u32 q10;
param u32 p11;
param u32 q11;
param u32 p12;
param u32 q12;
param u32 p13;
param u32 q13;
param u32 p14;
param u32 q14;
param u32 p15;
param u32 q15;
in  u32 a[16];
in  u32 b[16];
out u64 loaded[16];
out u64 literals[16];
out u64 params[16];
out u64 mixed[16];

kernel (16) workgroup(4) {
    let i = gid.x;
    loaded[0 + i] = bitcast<u64>(f64(a[i]));
    if i == 0 {
        literals[0] = bitcast<u64>(f64(u32(0)));
        params[0] = bitcast<u64>(f64(p0));
        mixed[0] = bitcast<u64>(f64(u32(0)));
    }
    if i == 1 {
        literals[1] = bitcast<u64>(f64(u32(1)));
        params[1] = bitcast<u64>(f64(p1));
        mixed[1] = bitcast<u64>(f64(a[i]));
    }
    if i == 2 {
        literals[2] = bitcast<u64>(f64(u32(7)));
        params[2] = bitcast<u64>(f64(p2));
        mixed[2] = bitcast<u64>(f64(u32(7)));
    }
    if i == 3 {
        literals[3] = bitcast<u64>(f64(u32(2147483647)));
        params[3] = bitcast<u64>(f64(p3));
        mixed[3] = bitcast<u64>(f64(a[i]));
    }
    if i == 4 {
        literals[4] = bitcast<u64>(f64(u32(2147483648)));
        params[4] = bitcast<u64>(f64(p4));
        mixed[4] = bitcast<u64>(f64(u32(2147483648)));
    }
    if i == 5 {
        literals[5] = bitcast<u64>(f64(u32(2147483649)));
        params[5] = bitcast<u64>(f64(p5));
        mixed[5] = bitcast<u64>(f64(a[i]));
    }
    if i == 6 {
        literals[6] = bitcast<u64>(f64(u32(4294967295)));
        params[6] = bitcast<u64>(f64(p6));
        mixed[6] = bitcast<u64>(f64(u32(4294967295)));
    }
    if i == 7 {
        literals[7] = bitcast<u64>(f64(u32(4294967289)));
        params[7] = bitcast<u64>(f64(p7));
        mixed[7] = bitcast<u64>(f64(a[i]));
    }
    if i == 8 {
        literals[8] = bitcast<u64>(f64(u32(734916625)));
        params[8] = bitcast<u64>(f64(p8));
        mixed[8] = bitcast<u64>(f64(u32(734916625)));
    }
    if i == 9 {
        literals[9] = bitcast<u64>(f64(u32(16777217)));
        params[9] = bitcast<u64>(f64(p9));
        mixed[9] = bitcast<u64>(f64(a[i]));
    }
    if i == 10 {
        literals[10] = bitcast<u64>(f64(u32(16777219)));
        params[10] = bitcast<u64>(f64(p10));
        mixed[10] = bitcast<u64>(f64(u32(16777219)));
    }
    if i == 11 {
        literals[11] = bitcast<u64>(f64(u32(33554431)));
        params[11] = bitcast<u64>(f64(p11));
        mixed[11] = bitcast<u64>(f64(a[i]));
    }
    if i == 12 {
        literals[12] = bitcast<u64>(f64(u32(1)));
        params[12] = bitcast<u64>(f64(p12));
        mixed[12] = bitcast<u64>(f64(u32(1)));
    }
    if i == 13 {
        literals[13] = bitcast<u64>(f64(u32(3)));
        params[13] = bitcast<u64>(f64(p13));
        mixed[13] = bitcast<u64>(f64(a[i]));
    }
    if i == 14 {
        literals[14] = bitcast<u64>(f64(u32(0)));
        params[14] = bitcast<u64>(f64(p14));
        mixed[14] = bitcast<u64>(f64(u32(0)));
    }
    if i == 15 {
        literals[15] = bitcast<u64>(f64(u32(1)));
        params[15] = bitcast<u64>(f64(p15));
        mixed[15] = bitcast<u64>(f64(a[i]));
    }
}
