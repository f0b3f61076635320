// Least, greatest, clamp, sign and the high half of a product.
// Rows: min(A, B), max(A, B), clamp(A, min(A, B), max(A, B) / 2), sign(A), mul_hi(A, B).
// The same operands loaded, as literals, as params, and mixed.
//! args --in a=0,1,7,2147483647,2147483648,2147483649,4294967295,4294967289,734916625,0,1,7,2147483647,2147483648,2147483649,4294967295,4294967289,734916625,0,1,7,2147483647,2147483648,2147483649,4294967295,4294967289,734916625,1,7,2147483648,2147483649,4294967295,734916625 --in b=0,2147483649,1,4294967295,7,4294967289,2147483647,734916625,2147483648,1,4294967295,7,4294967289,2147483647,734916625,2147483648,0,2147483649,2147483647,734916625,2147483648,0,2147483649,1,4294967295,7,4294967289,0,0,0,0,0,0 --set p0=0 --set q0=0 --set p1=1 --set q1=2147483649 --set p2=7 --set q2=1 --set p3=2147483647 --set q3=4294967295 --set p4=2147483648 --set q4=7 --set p5=2147483649 --set q5=4294967289 --set p6=4294967295 --set q6=2147483647 --set p7=4294967289 --set q7=734916625 --set p8=734916625 --set q8=2147483648 --set p9=0 --set q9=1 --set p10=1 --set q10=4294967295 --set p11=7 --set q11=7 --set p12=2147483647 --set q12=4294967289 --set p13=2147483648 --set q13=2147483647 --set p14=2147483649 --set q14=734916625 --set p15=4294967295 --set q15=2147483648 --set p16=4294967289 --set q16=0 --set p17=734916625 --set q17=2147483649 --set p18=0 --set q18=2147483647 --set p19=1 --set q19=734916625 --set p20=7 --set q20=2147483648 --set p21=2147483647 --set q21=0 --set p22=2147483648 --set q22=2147483649 --set p23=2147483649 --set q23=1 --set p24=4294967295 --set q24=4294967295 --set p25=4294967289 --set q25=7 --set p26=734916625 --set q26=4294967289 --set p27=1 --set q27=0 --set p28=7 --set q28=0 --set p29=2147483648 --set q29=0 --set p30=2147483649 --set q30=0 --set p31=4294967295 --set q31=0 --set p32=734916625 --set q32=0
//! out loaded: 0 1 1 2147483647 7 2147483649 2147483647 734916625 734916625 0 1 7 2147483647 2147483647 734916625 2147483648 0 734916625 0 1 7 0 2147483648 1 4294967295 7 734916625 0 0 0 0 0 0 0 2147483649 7 4294967295 2147483648 4294967289 4294967295 4294967289 2147483648 1 4294967295 7 4294967289 2147483648 2147483649 4294967295 4294967289 2147483649 2147483647 734916625 2147483648 2147483647 2147483649 2147483649 4294967295 4294967289 4294967289 1 7 2147483648 2147483649 4294967295 734916625 0 1 3 2147483647 1073741824 2147483644 2147483647 2147483644 734916625 0 1 3 2147483644 1073741824 1073741824 2147483647 2147483644 734916625 0 1 7 1073741823 1073741824 1073741824 2147483647 2147483644 734916625 0 3 1073741824 1073741824 2147483647 367458312 0 1 1 1 1 1 1 1 1 0 1 1 1 1 1 1 1 1 0 1 1 1 1 1 1 1 1 1 1 1 1 1 1 0 0 0 2147483646 3 2147483645 2147483646 734916623 367458312 0 0 0 2147483643 1073741823 367458312 2147483647 0 367458312 0 0 3 0 1073741824 0 4294967294 6 734916623 0 0 0 0 0 0
//! out literals: 0 1 1 2147483647 7 2147483649 2147483647 734916625 734916625 0 1 7 2147483647 2147483647 734916625 2147483648 0 734916625 0 1 7 0 2147483648 1 4294967295 7 734916625 0 0 0 0 0 0 0 2147483649 7 4294967295 2147483648 4294967289 4294967295 4294967289 2147483648 1 4294967295 7 4294967289 2147483648 2147483649 4294967295 4294967289 2147483649 2147483647 734916625 2147483648 2147483647 2147483649 2147483649 4294967295 4294967289 4294967289 1 7 2147483648 2147483649 4294967295 734916625 0 1 3 2147483647 1073741824 2147483644 2147483647 2147483644 734916625 0 1 3 2147483644 1073741824 1073741824 2147483647 2147483644 734916625 0 1 7 1073741823 1073741824 1073741824 2147483647 2147483644 734916625 0 3 1073741824 1073741824 2147483647 367458312 0 1 1 1 1 1 1 1 1 0 1 1 1 1 1 1 1 1 0 1 1 1 1 1 1 1 1 1 1 1 1 1 1 0 0 0 2147483646 3 2147483645 2147483646 734916623 367458312 0 0 0 2147483643 1073741823 367458312 2147483647 0 367458312 0 0 3 0 1073741824 0 4294967294 6 734916623 0 0 0 0 0 0
//! out params: 0 1 1 2147483647 7 2147483649 2147483647 734916625 734916625 0 1 7 2147483647 2147483647 734916625 2147483648 0 734916625 0 1 7 0 2147483648 1 4294967295 7 734916625 0 0 0 0 0 0 0 2147483649 7 4294967295 2147483648 4294967289 4294967295 4294967289 2147483648 1 4294967295 7 4294967289 2147483648 2147483649 4294967295 4294967289 2147483649 2147483647 734916625 2147483648 2147483647 2147483649 2147483649 4294967295 4294967289 4294967289 1 7 2147483648 2147483649 4294967295 734916625 0 1 3 2147483647 1073741824 2147483644 2147483647 2147483644 734916625 0 1 3 2147483644 1073741824 1073741824 2147483647 2147483644 734916625 0 1 7 1073741823 1073741824 1073741824 2147483647 2147483644 734916625 0 3 1073741824 1073741824 2147483647 367458312 0 1 1 1 1 1 1 1 1 0 1 1 1 1 1 1 1 1 0 1 1 1 1 1 1 1 1 1 1 1 1 1 1 0 0 0 2147483646 3 2147483645 2147483646 734916623 367458312 0 0 0 2147483643 1073741823 367458312 2147483647 0 367458312 0 0 3 0 1073741824 0 4294967294 6 734916623 0 0 0 0 0 0
//! out mixed: 0 1 1 2147483647 7 2147483649 2147483647 734916625 734916625 0 1 7 2147483647 2147483647 734916625 2147483648 0 734916625 0 1 7 0 2147483648 1 4294967295 7 734916625 0 0 0 0 0 0 0 2147483649 7 4294967295 2147483648 4294967289 4294967295 4294967289 2147483648 1 4294967295 7 4294967289 2147483648 2147483649 4294967295 4294967289 2147483649 2147483647 734916625 2147483648 2147483647 2147483649 2147483649 4294967295 4294967289 4294967289 1 7 2147483648 2147483649 4294967295 734916625 0 1 3 2147483647 1073741824 2147483644 2147483647 2147483644 734916625 0 1 3 2147483644 1073741824 1073741824 2147483647 2147483644 734916625 0 1 7 1073741823 1073741824 1073741824 2147483647 2147483644 734916625 0 3 1073741824 1073741824 2147483647 367458312 0 1 1 1 1 1 1 1 1 0 1 1 1 1 1 1 1 1 0 1 1 1 1 1 1 1 1 1 1 1 1 1 1 0 0 0 2147483646 3 2147483645 2147483646 734916623 367458312 0 0 0 2147483643 1073741823 367458312 2147483647 0 367458312 0 0 3 0 1073741824 0 4294967294 6 734916623 0 0 0 0 0 0
//! order-free yes
program rule_order_u32;

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
param u32 p16;
param u32 q16;
param u32 p17;
param u32 q17;
param u32 p18;
param u32 q18;
param u32 p19;
param u32 q19;
param u32 p20;
param u32 q20;
param u32 p21;
param u32 q21;
param u32 p22;
param u32 q22;
param u32 p23;
param u32 q23;
param u32 p24;
param u32 q24;
param u32 p25;
param u32 q25;
param u32 p26;
param u32 q26;
param u32 p27;
param u32 q27;
param u32 p28;
param u32 q28;
param u32 p29;
param u32 q29;
param u32 p30;
param u32 q30;
param u32 p31;
param u32 q31;
param u32 p32;
param u32 q32;
in  u32 a[33];
in  u32 b[33];
out u32 loaded[165];
out u32 literals[165];
out u32 params[165];
out u32 mixed[165];

kernel (33) workgroup(4) {
    let i = gid.x;
    loaded[0 + i] = min(a[i], b[i]);
    loaded[33 + i] = max(a[i], b[i]);
    loaded[66 + i] = clamp(a[i], min(a[i], b[i]), max(a[i], b[i]) / 2);
    loaded[99 + i] = sign(a[i]);
    loaded[132 + i] = mul_hi(a[i], b[i]);
    if i == 0 {
        literals[0] = min(u32(0), u32(0));
        params[0] = min(p0, q0);
        mixed[0] = min(u32(0), q0);
        literals[33] = max(u32(0), u32(0));
        params[33] = max(p0, q0);
        mixed[33] = max(a[i], u32(0));
        literals[66] = clamp(u32(0), min(u32(0), u32(0)), max(u32(0), u32(0)) / 2);
        params[66] = clamp(p0, min(p0, q0), max(p0, q0) / 2);
        mixed[66] = clamp(u32(0), min(u32(0), q0), max(u32(0), q0) / 2);
        literals[99] = sign(u32(0));
        params[99] = sign(p0);
        mixed[99] = sign(a[i]);
        literals[132] = mul_hi(u32(0), u32(0));
        params[132] = mul_hi(p0, q0);
        mixed[132] = mul_hi(u32(0), q0);
    }
    if i == 1 {
        literals[1] = min(u32(1), u32(2147483649));
        params[1] = min(p1, q1);
        mixed[1] = min(a[i], u32(2147483649));
        literals[34] = max(u32(1), u32(2147483649));
        params[34] = max(p1, q1);
        mixed[34] = max(u32(1), q1);
        literals[67] = clamp(u32(1), min(u32(1), u32(2147483649)), max(u32(1), u32(2147483649)) / 2);
        params[67] = clamp(p1, min(p1, q1), max(p1, q1) / 2);
        mixed[67] = clamp(a[i], min(a[i], u32(2147483649)), max(a[i], u32(2147483649)) / 2);
        literals[100] = sign(u32(1));
        params[100] = sign(p1);
        mixed[100] = sign(u32(1));
        literals[133] = mul_hi(u32(1), u32(2147483649));
        params[133] = mul_hi(p1, q1);
        mixed[133] = mul_hi(a[i], u32(2147483649));
    }
    if i == 2 {
        literals[2] = min(u32(7), u32(1));
        params[2] = min(p2, q2);
        mixed[2] = min(u32(7), q2);
        literals[35] = max(u32(7), u32(1));
        params[35] = max(p2, q2);
        mixed[35] = max(a[i], u32(1));
        literals[68] = clamp(u32(7), min(u32(7), u32(1)), max(u32(7), u32(1)) / 2);
        params[68] = clamp(p2, min(p2, q2), max(p2, q2) / 2);
        mixed[68] = clamp(u32(7), min(u32(7), q2), max(u32(7), q2) / 2);
        literals[101] = sign(u32(7));
        params[101] = sign(p2);
        mixed[101] = sign(a[i]);
        literals[134] = mul_hi(u32(7), u32(1));
        params[134] = mul_hi(p2, q2);
        mixed[134] = mul_hi(u32(7), q2);
    }
    if i == 3 {
        literals[3] = min(u32(2147483647), u32(4294967295));
        params[3] = min(p3, q3);
        mixed[3] = min(a[i], u32(4294967295));
        literals[36] = max(u32(2147483647), u32(4294967295));
        params[36] = max(p3, q3);
        mixed[36] = max(u32(2147483647), q3);
        literals[69] = clamp(u32(2147483647), min(u32(2147483647), u32(4294967295)), max(u32(2147483647), u32(4294967295)) / 2);
        params[69] = clamp(p3, min(p3, q3), max(p3, q3) / 2);
        mixed[69] = clamp(a[i], min(a[i], u32(4294967295)), max(a[i], u32(4294967295)) / 2);
        literals[102] = sign(u32(2147483647));
        params[102] = sign(p3);
        mixed[102] = sign(u32(2147483647));
        literals[135] = mul_hi(u32(2147483647), u32(4294967295));
        params[135] = mul_hi(p3, q3);
        mixed[135] = mul_hi(a[i], u32(4294967295));
    }
    if i == 4 {
        literals[4] = min(u32(2147483648), u32(7));
        params[4] = min(p4, q4);
        mixed[4] = min(u32(2147483648), q4);
        literals[37] = max(u32(2147483648), u32(7));
        params[37] = max(p4, q4);
        mixed[37] = max(a[i], u32(7));
        literals[70] = clamp(u32(2147483648), min(u32(2147483648), u32(7)), max(u32(2147483648), u32(7)) / 2);
        params[70] = clamp(p4, min(p4, q4), max(p4, q4) / 2);
        mixed[70] = clamp(u32(2147483648), min(u32(2147483648), q4), max(u32(2147483648), q4) / 2);
        literals[103] = sign(u32(2147483648));
        params[103] = sign(p4);
        mixed[103] = sign(a[i]);
        literals[136] = mul_hi(u32(2147483648), u32(7));
        params[136] = mul_hi(p4, q4);
        mixed[136] = mul_hi(u32(2147483648), q4);
    }
    if i == 5 {
        literals[5] = min(u32(2147483649), u32(4294967289));
        params[5] = min(p5, q5);
        mixed[5] = min(a[i], u32(4294967289));
        literals[38] = max(u32(2147483649), u32(4294967289));
        params[38] = max(p5, q5);
        mixed[38] = max(u32(2147483649), q5);
        literals[71] = clamp(u32(2147483649), min(u32(2147483649), u32(4294967289)), max(u32(2147483649), u32(4294967289)) / 2);
        params[71] = clamp(p5, min(p5, q5), max(p5, q5) / 2);
        mixed[71] = clamp(a[i], min(a[i], u32(4294967289)), max(a[i], u32(4294967289)) / 2);
        literals[104] = sign(u32(2147483649));
        params[104] = sign(p5);
        mixed[104] = sign(u32(2147483649));
        literals[137] = mul_hi(u32(2147483649), u32(4294967289));
        params[137] = mul_hi(p5, q5);
        mixed[137] = mul_hi(a[i], u32(4294967289));
    }
    if i == 6 {
        literals[6] = min(u32(4294967295), u32(2147483647));
        params[6] = min(p6, q6);
        mixed[6] = min(u32(4294967295), q6);
        literals[39] = max(u32(4294967295), u32(2147483647));
        params[39] = max(p6, q6);
        mixed[39] = max(a[i], u32(2147483647));
        literals[72] = clamp(u32(4294967295), min(u32(4294967295), u32(2147483647)), max(u32(4294967295), u32(2147483647)) / 2);
        params[72] = clamp(p6, min(p6, q6), max(p6, q6) / 2);
        mixed[72] = clamp(u32(4294967295), min(u32(4294967295), q6), max(u32(4294967295), q6) / 2);
        literals[105] = sign(u32(4294967295));
        params[105] = sign(p6);
        mixed[105] = sign(a[i]);
        literals[138] = mul_hi(u32(4294967295), u32(2147483647));
        params[138] = mul_hi(p6, q6);
        mixed[138] = mul_hi(u32(4294967295), q6);
    }
    if i == 7 {
        literals[7] = min(u32(4294967289), u32(734916625));
        params[7] = min(p7, q7);
        mixed[7] = min(a[i], u32(734916625));
        literals[40] = max(u32(4294967289), u32(734916625));
        params[40] = max(p7, q7);
        mixed[40] = max(u32(4294967289), q7);
        literals[73] = clamp(u32(4294967289), min(u32(4294967289), u32(734916625)), max(u32(4294967289), u32(734916625)) / 2);
        params[73] = clamp(p7, min(p7, q7), max(p7, q7) / 2);
        mixed[73] = clamp(a[i], min(a[i], u32(734916625)), max(a[i], u32(734916625)) / 2);
        literals[106] = sign(u32(4294967289));
        params[106] = sign(p7);
        mixed[106] = sign(u32(4294967289));
        literals[139] = mul_hi(u32(4294967289), u32(734916625));
        params[139] = mul_hi(p7, q7);
        mixed[139] = mul_hi(a[i], u32(734916625));
    }
    if i == 8 {
        literals[8] = min(u32(734916625), u32(2147483648));
        params[8] = min(p8, q8);
        mixed[8] = min(u32(734916625), q8);
        literals[41] = max(u32(734916625), u32(2147483648));
        params[41] = max(p8, q8);
        mixed[41] = max(a[i], u32(2147483648));
        literals[74] = clamp(u32(734916625), min(u32(734916625), u32(2147483648)), max(u32(734916625), u32(2147483648)) / 2);
        params[74] = clamp(p8, min(p8, q8), max(p8, q8) / 2);
        mixed[74] = clamp(u32(734916625), min(u32(734916625), q8), max(u32(734916625), q8) / 2);
        literals[107] = sign(u32(734916625));
        params[107] = sign(p8);
        mixed[107] = sign(a[i]);
        literals[140] = mul_hi(u32(734916625), u32(2147483648));
        params[140] = mul_hi(p8, q8);
        mixed[140] = mul_hi(u32(734916625), q8);
    }
    if i == 9 {
        literals[9] = min(u32(0), u32(1));
        params[9] = min(p9, q9);
        mixed[9] = min(a[i], u32(1));
        literals[42] = max(u32(0), u32(1));
        params[42] = max(p9, q9);
        mixed[42] = max(u32(0), q9);
        literals[75] = clamp(u32(0), min(u32(0), u32(1)), max(u32(0), u32(1)) / 2);
        params[75] = clamp(p9, min(p9, q9), max(p9, q9) / 2);
        mixed[75] = clamp(a[i], min(a[i], u32(1)), max(a[i], u32(1)) / 2);
        literals[108] = sign(u32(0));
        params[108] = sign(p9);
        mixed[108] = sign(u32(0));
        literals[141] = mul_hi(u32(0), u32(1));
        params[141] = mul_hi(p9, q9);
        mixed[141] = mul_hi(a[i], u32(1));
    }
    if i == 10 {
        literals[10] = min(u32(1), u32(4294967295));
        params[10] = min(p10, q10);
        mixed[10] = min(u32(1), q10);
        literals[43] = max(u32(1), u32(4294967295));
        params[43] = max(p10, q10);
        mixed[43] = max(a[i], u32(4294967295));
        literals[76] = clamp(u32(1), min(u32(1), u32(4294967295)), max(u32(1), u32(4294967295)) / 2);
        params[76] = clamp(p10, min(p10, q10), max(p10, q10) / 2);
        mixed[76] = clamp(u32(1), min(u32(1), q10), max(u32(1), q10) / 2);
        literals[109] = sign(u32(1));
        params[109] = sign(p10);
        mixed[109] = sign(a[i]);
        literals[142] = mul_hi(u32(1), u32(4294967295));
        params[142] = mul_hi(p10, q10);
        mixed[142] = mul_hi(u32(1), q10);
    }
    if i == 11 {
        literals[11] = min(u32(7), u32(7));
        params[11] = min(p11, q11);
        mixed[11] = min(a[i], u32(7));
        literals[44] = max(u32(7), u32(7));
        params[44] = max(p11, q11);
        mixed[44] = max(u32(7), q11);
        literals[77] = clamp(u32(7), min(u32(7), u32(7)), max(u32(7), u32(7)) / 2);
        params[77] = clamp(p11, min(p11, q11), max(p11, q11) / 2);
        mixed[77] = clamp(a[i], min(a[i], u32(7)), max(a[i], u32(7)) / 2);
        literals[110] = sign(u32(7));
        params[110] = sign(p11);
        mixed[110] = sign(u32(7));
        literals[143] = mul_hi(u32(7), u32(7));
        params[143] = mul_hi(p11, q11);
        mixed[143] = mul_hi(a[i], u32(7));
    }
    if i == 12 {
        literals[12] = min(u32(2147483647), u32(4294967289));
        params[12] = min(p12, q12);
        mixed[12] = min(u32(2147483647), q12);
        literals[45] = max(u32(2147483647), u32(4294967289));
        params[45] = max(p12, q12);
        mixed[45] = max(a[i], u32(4294967289));
        literals[78] = clamp(u32(2147483647), min(u32(2147483647), u32(4294967289)), max(u32(2147483647), u32(4294967289)) / 2);
        params[78] = clamp(p12, min(p12, q12), max(p12, q12) / 2);
        mixed[78] = clamp(u32(2147483647), min(u32(2147483647), q12), max(u32(2147483647), q12) / 2);
        literals[111] = sign(u32(2147483647));
        params[111] = sign(p12);
        mixed[111] = sign(a[i]);
        literals[144] = mul_hi(u32(2147483647), u32(4294967289));
        params[144] = mul_hi(p12, q12);
        mixed[144] = mul_hi(u32(2147483647), q12);
    }
    if i == 13 {
        literals[13] = min(u32(2147483648), u32(2147483647));
        params[13] = min(p13, q13);
        mixed[13] = min(a[i], u32(2147483647));
        literals[46] = max(u32(2147483648), u32(2147483647));
        params[46] = max(p13, q13);
        mixed[46] = max(u32(2147483648), q13);
        literals[79] = clamp(u32(2147483648), min(u32(2147483648), u32(2147483647)), max(u32(2147483648), u32(2147483647)) / 2);
        params[79] = clamp(p13, min(p13, q13), max(p13, q13) / 2);
        mixed[79] = clamp(a[i], min(a[i], u32(2147483647)), max(a[i], u32(2147483647)) / 2);
        literals[112] = sign(u32(2147483648));
        params[112] = sign(p13);
        mixed[112] = sign(u32(2147483648));
        literals[145] = mul_hi(u32(2147483648), u32(2147483647));
        params[145] = mul_hi(p13, q13);
        mixed[145] = mul_hi(a[i], u32(2147483647));
    }
    if i == 14 {
        literals[14] = min(u32(2147483649), u32(734916625));
        params[14] = min(p14, q14);
        mixed[14] = min(u32(2147483649), q14);
        literals[47] = max(u32(2147483649), u32(734916625));
        params[47] = max(p14, q14);
        mixed[47] = max(a[i], u32(734916625));
        literals[80] = clamp(u32(2147483649), min(u32(2147483649), u32(734916625)), max(u32(2147483649), u32(734916625)) / 2);
        params[80] = clamp(p14, min(p14, q14), max(p14, q14) / 2);
        mixed[80] = clamp(u32(2147483649), min(u32(2147483649), q14), max(u32(2147483649), q14) / 2);
        literals[113] = sign(u32(2147483649));
        params[113] = sign(p14);
        mixed[113] = sign(a[i]);
        literals[146] = mul_hi(u32(2147483649), u32(734916625));
        params[146] = mul_hi(p14, q14);
        mixed[146] = mul_hi(u32(2147483649), q14);
    }
    if i == 15 {
        literals[15] = min(u32(4294967295), u32(2147483648));
        params[15] = min(p15, q15);
        mixed[15] = min(a[i], u32(2147483648));
        literals[48] = max(u32(4294967295), u32(2147483648));
        params[48] = max(p15, q15);
        mixed[48] = max(u32(4294967295), q15);
        literals[81] = clamp(u32(4294967295), min(u32(4294967295), u32(2147483648)), max(u32(4294967295), u32(2147483648)) / 2);
        params[81] = clamp(p15, min(p15, q15), max(p15, q15) / 2);
        mixed[81] = clamp(a[i], min(a[i], u32(2147483648)), max(a[i], u32(2147483648)) / 2);
        literals[114] = sign(u32(4294967295));
        params[114] = sign(p15);
        mixed[114] = sign(u32(4294967295));
        literals[147] = mul_hi(u32(4294967295), u32(2147483648));
        params[147] = mul_hi(p15, q15);
        mixed[147] = mul_hi(a[i], u32(2147483648));
    }
    if i == 16 {
        literals[16] = min(u32(4294967289), u32(0));
        params[16] = min(p16, q16);
        mixed[16] = min(u32(4294967289), q16);
        literals[49] = max(u32(4294967289), u32(0));
        params[49] = max(p16, q16);
        mixed[49] = max(a[i], u32(0));
        literals[82] = clamp(u32(4294967289), min(u32(4294967289), u32(0)), max(u32(4294967289), u32(0)) / 2);
        params[82] = clamp(p16, min(p16, q16), max(p16, q16) / 2);
        mixed[82] = clamp(u32(4294967289), min(u32(4294967289), q16), max(u32(4294967289), q16) / 2);
        literals[115] = sign(u32(4294967289));
        params[115] = sign(p16);
        mixed[115] = sign(a[i]);
        literals[148] = mul_hi(u32(4294967289), u32(0));
        params[148] = mul_hi(p16, q16);
        mixed[148] = mul_hi(u32(4294967289), q16);
    }
    if i == 17 {
        literals[17] = min(u32(734916625), u32(2147483649));
        params[17] = min(p17, q17);
        mixed[17] = min(a[i], u32(2147483649));
        literals[50] = max(u32(734916625), u32(2147483649));
        params[50] = max(p17, q17);
        mixed[50] = max(u32(734916625), q17);
        literals[83] = clamp(u32(734916625), min(u32(734916625), u32(2147483649)), max(u32(734916625), u32(2147483649)) / 2);
        params[83] = clamp(p17, min(p17, q17), max(p17, q17) / 2);
        mixed[83] = clamp(a[i], min(a[i], u32(2147483649)), max(a[i], u32(2147483649)) / 2);
        literals[116] = sign(u32(734916625));
        params[116] = sign(p17);
        mixed[116] = sign(u32(734916625));
        literals[149] = mul_hi(u32(734916625), u32(2147483649));
        params[149] = mul_hi(p17, q17);
        mixed[149] = mul_hi(a[i], u32(2147483649));
    }
    if i == 18 {
        literals[18] = min(u32(0), u32(2147483647));
        params[18] = min(p18, q18);
        mixed[18] = min(u32(0), q18);
        literals[51] = max(u32(0), u32(2147483647));
        params[51] = max(p18, q18);
        mixed[51] = max(a[i], u32(2147483647));
        literals[84] = clamp(u32(0), min(u32(0), u32(2147483647)), max(u32(0), u32(2147483647)) / 2);
        params[84] = clamp(p18, min(p18, q18), max(p18, q18) / 2);
        mixed[84] = clamp(u32(0), min(u32(0), q18), max(u32(0), q18) / 2);
        literals[117] = sign(u32(0));
        params[117] = sign(p18);
        mixed[117] = sign(a[i]);
        literals[150] = mul_hi(u32(0), u32(2147483647));
        params[150] = mul_hi(p18, q18);
        mixed[150] = mul_hi(u32(0), q18);
    }
    if i == 19 {
        literals[19] = min(u32(1), u32(734916625));
        params[19] = min(p19, q19);
        mixed[19] = min(a[i], u32(734916625));
        literals[52] = max(u32(1), u32(734916625));
        params[52] = max(p19, q19);
        mixed[52] = max(u32(1), q19);
        literals[85] = clamp(u32(1), min(u32(1), u32(734916625)), max(u32(1), u32(734916625)) / 2);
        params[85] = clamp(p19, min(p19, q19), max(p19, q19) / 2);
        mixed[85] = clamp(a[i], min(a[i], u32(734916625)), max(a[i], u32(734916625)) / 2);
        literals[118] = sign(u32(1));
        params[118] = sign(p19);
        mixed[118] = sign(u32(1));
        literals[151] = mul_hi(u32(1), u32(734916625));
        params[151] = mul_hi(p19, q19);
        mixed[151] = mul_hi(a[i], u32(734916625));
    }
    if i == 20 {
        literals[20] = min(u32(7), u32(2147483648));
        params[20] = min(p20, q20);
        mixed[20] = min(u32(7), q20);
        literals[53] = max(u32(7), u32(2147483648));
        params[53] = max(p20, q20);
        mixed[53] = max(a[i], u32(2147483648));
        literals[86] = clamp(u32(7), min(u32(7), u32(2147483648)), max(u32(7), u32(2147483648)) / 2);
        params[86] = clamp(p20, min(p20, q20), max(p20, q20) / 2);
        mixed[86] = clamp(u32(7), min(u32(7), q20), max(u32(7), q20) / 2);
        literals[119] = sign(u32(7));
        params[119] = sign(p20);
        mixed[119] = sign(a[i]);
        literals[152] = mul_hi(u32(7), u32(2147483648));
        params[152] = mul_hi(p20, q20);
        mixed[152] = mul_hi(u32(7), q20);
    }
    if i == 21 {
        literals[21] = min(u32(2147483647), u32(0));
        params[21] = min(p21, q21);
        mixed[21] = min(a[i], u32(0));
        literals[54] = max(u32(2147483647), u32(0));
        params[54] = max(p21, q21);
        mixed[54] = max(u32(2147483647), q21);
        literals[87] = clamp(u32(2147483647), min(u32(2147483647), u32(0)), max(u32(2147483647), u32(0)) / 2);
        params[87] = clamp(p21, min(p21, q21), max(p21, q21) / 2);
        mixed[87] = clamp(a[i], min(a[i], u32(0)), max(a[i], u32(0)) / 2);
        literals[120] = sign(u32(2147483647));
        params[120] = sign(p21);
        mixed[120] = sign(u32(2147483647));
        literals[153] = mul_hi(u32(2147483647), u32(0));
        params[153] = mul_hi(p21, q21);
        mixed[153] = mul_hi(a[i], u32(0));
    }
    if i == 22 {
        literals[22] = min(u32(2147483648), u32(2147483649));
        params[22] = min(p22, q22);
        mixed[22] = min(u32(2147483648), q22);
        literals[55] = max(u32(2147483648), u32(2147483649));
        params[55] = max(p22, q22);
        mixed[55] = max(a[i], u32(2147483649));
        literals[88] = clamp(u32(2147483648), min(u32(2147483648), u32(2147483649)), max(u32(2147483648), u32(2147483649)) / 2);
        params[88] = clamp(p22, min(p22, q22), max(p22, q22) / 2);
        mixed[88] = clamp(u32(2147483648), min(u32(2147483648), q22), max(u32(2147483648), q22) / 2);
        literals[121] = sign(u32(2147483648));
        params[121] = sign(p22);
        mixed[121] = sign(a[i]);
        literals[154] = mul_hi(u32(2147483648), u32(2147483649));
        params[154] = mul_hi(p22, q22);
        mixed[154] = mul_hi(u32(2147483648), q22);
    }
    if i == 23 {
        literals[23] = min(u32(2147483649), u32(1));
        params[23] = min(p23, q23);
        mixed[23] = min(a[i], u32(1));
        literals[56] = max(u32(2147483649), u32(1));
        params[56] = max(p23, q23);
        mixed[56] = max(u32(2147483649), q23);
        literals[89] = clamp(u32(2147483649), min(u32(2147483649), u32(1)), max(u32(2147483649), u32(1)) / 2);
        params[89] = clamp(p23, min(p23, q23), max(p23, q23) / 2);
        mixed[89] = clamp(a[i], min(a[i], u32(1)), max(a[i], u32(1)) / 2);
        literals[122] = sign(u32(2147483649));
        params[122] = sign(p23);
        mixed[122] = sign(u32(2147483649));
        literals[155] = mul_hi(u32(2147483649), u32(1));
        params[155] = mul_hi(p23, q23);
        mixed[155] = mul_hi(a[i], u32(1));
    }
    if i == 24 {
        literals[24] = min(u32(4294967295), u32(4294967295));
        params[24] = min(p24, q24);
        mixed[24] = min(u32(4294967295), q24);
        literals[57] = max(u32(4294967295), u32(4294967295));
        params[57] = max(p24, q24);
        mixed[57] = max(a[i], u32(4294967295));
        literals[90] = clamp(u32(4294967295), min(u32(4294967295), u32(4294967295)), max(u32(4294967295), u32(4294967295)) / 2);
        params[90] = clamp(p24, min(p24, q24), max(p24, q24) / 2);
        mixed[90] = clamp(u32(4294967295), min(u32(4294967295), q24), max(u32(4294967295), q24) / 2);
        literals[123] = sign(u32(4294967295));
        params[123] = sign(p24);
        mixed[123] = sign(a[i]);
        literals[156] = mul_hi(u32(4294967295), u32(4294967295));
        params[156] = mul_hi(p24, q24);
        mixed[156] = mul_hi(u32(4294967295), q24);
    }
    if i == 25 {
        literals[25] = min(u32(4294967289), u32(7));
        params[25] = min(p25, q25);
        mixed[25] = min(a[i], u32(7));
        literals[58] = max(u32(4294967289), u32(7));
        params[58] = max(p25, q25);
        mixed[58] = max(u32(4294967289), q25);
        literals[91] = clamp(u32(4294967289), min(u32(4294967289), u32(7)), max(u32(4294967289), u32(7)) / 2);
        params[91] = clamp(p25, min(p25, q25), max(p25, q25) / 2);
        mixed[91] = clamp(a[i], min(a[i], u32(7)), max(a[i], u32(7)) / 2);
        literals[124] = sign(u32(4294967289));
        params[124] = sign(p25);
        mixed[124] = sign(u32(4294967289));
        literals[157] = mul_hi(u32(4294967289), u32(7));
        params[157] = mul_hi(p25, q25);
        mixed[157] = mul_hi(a[i], u32(7));
    }
    if i == 26 {
        literals[26] = min(u32(734916625), u32(4294967289));
        params[26] = min(p26, q26);
        mixed[26] = min(u32(734916625), q26);
        literals[59] = max(u32(734916625), u32(4294967289));
        params[59] = max(p26, q26);
        mixed[59] = max(a[i], u32(4294967289));
        literals[92] = clamp(u32(734916625), min(u32(734916625), u32(4294967289)), max(u32(734916625), u32(4294967289)) / 2);
        params[92] = clamp(p26, min(p26, q26), max(p26, q26) / 2);
        mixed[92] = clamp(u32(734916625), min(u32(734916625), q26), max(u32(734916625), q26) / 2);
        literals[125] = sign(u32(734916625));
        params[125] = sign(p26);
        mixed[125] = sign(a[i]);
        literals[158] = mul_hi(u32(734916625), u32(4294967289));
        params[158] = mul_hi(p26, q26);
        mixed[158] = mul_hi(u32(734916625), q26);
    }
    if i == 27 {
        literals[27] = min(u32(1), u32(0));
        params[27] = min(p27, q27);
        mixed[27] = min(a[i], u32(0));
        literals[60] = max(u32(1), u32(0));
        params[60] = max(p27, q27);
        mixed[60] = max(u32(1), q27);
        literals[93] = clamp(u32(1), min(u32(1), u32(0)), max(u32(1), u32(0)) / 2);
        params[93] = clamp(p27, min(p27, q27), max(p27, q27) / 2);
        mixed[93] = clamp(a[i], min(a[i], u32(0)), max(a[i], u32(0)) / 2);
        literals[126] = sign(u32(1));
        params[126] = sign(p27);
        mixed[126] = sign(u32(1));
        literals[159] = mul_hi(u32(1), u32(0));
        params[159] = mul_hi(p27, q27);
        mixed[159] = mul_hi(a[i], u32(0));
    }
    if i == 28 {
        literals[28] = min(u32(7), u32(0));
        params[28] = min(p28, q28);
        mixed[28] = min(u32(7), q28);
        literals[61] = max(u32(7), u32(0));
        params[61] = max(p28, q28);
        mixed[61] = max(a[i], u32(0));
        literals[94] = clamp(u32(7), min(u32(7), u32(0)), max(u32(7), u32(0)) / 2);
        params[94] = clamp(p28, min(p28, q28), max(p28, q28) / 2);
        mixed[94] = clamp(u32(7), min(u32(7), q28), max(u32(7), q28) / 2);
        literals[127] = sign(u32(7));
        params[127] = sign(p28);
        mixed[127] = sign(a[i]);
        literals[160] = mul_hi(u32(7), u32(0));
        params[160] = mul_hi(p28, q28);
        mixed[160] = mul_hi(u32(7), q28);
    }
    if i == 29 {
        literals[29] = min(u32(2147483648), u32(0));
        params[29] = min(p29, q29);
        mixed[29] = min(a[i], u32(0));
        literals[62] = max(u32(2147483648), u32(0));
        params[62] = max(p29, q29);
        mixed[62] = max(u32(2147483648), q29);
        literals[95] = clamp(u32(2147483648), min(u32(2147483648), u32(0)), max(u32(2147483648), u32(0)) / 2);
        params[95] = clamp(p29, min(p29, q29), max(p29, q29) / 2);
        mixed[95] = clamp(a[i], min(a[i], u32(0)), max(a[i], u32(0)) / 2);
        literals[128] = sign(u32(2147483648));
        params[128] = sign(p29);
        mixed[128] = sign(u32(2147483648));
        literals[161] = mul_hi(u32(2147483648), u32(0));
        params[161] = mul_hi(p29, q29);
        mixed[161] = mul_hi(a[i], u32(0));
    }
    if i == 30 {
        literals[30] = min(u32(2147483649), u32(0));
        params[30] = min(p30, q30);
        mixed[30] = min(u32(2147483649), q30);
        literals[63] = max(u32(2147483649), u32(0));
        params[63] = max(p30, q30);
        mixed[63] = max(a[i], u32(0));
        literals[96] = clamp(u32(2147483649), min(u32(2147483649), u32(0)), max(u32(2147483649), u32(0)) / 2);
        params[96] = clamp(p30, min(p30, q30), max(p30, q30) / 2);
        mixed[96] = clamp(u32(2147483649), min(u32(2147483649), q30), max(u32(2147483649), q30) / 2);
        literals[129] = sign(u32(2147483649));
        params[129] = sign(p30);
        mixed[129] = sign(a[i]);
        literals[162] = mul_hi(u32(2147483649), u32(0));
        params[162] = mul_hi(p30, q30);
        mixed[162] = mul_hi(u32(2147483649), q30);
    }
    if i == 31 {
        literals[31] = min(u32(4294967295), u32(0));
        params[31] = min(p31, q31);
        mixed[31] = min(a[i], u32(0));
        literals[64] = max(u32(4294967295), u32(0));
        params[64] = max(p31, q31);
        mixed[64] = max(u32(4294967295), q31);
        literals[97] = clamp(u32(4294967295), min(u32(4294967295), u32(0)), max(u32(4294967295), u32(0)) / 2);
        params[97] = clamp(p31, min(p31, q31), max(p31, q31) / 2);
        mixed[97] = clamp(a[i], min(a[i], u32(0)), max(a[i], u32(0)) / 2);
        literals[130] = sign(u32(4294967295));
        params[130] = sign(p31);
        mixed[130] = sign(u32(4294967295));
        literals[163] = mul_hi(u32(4294967295), u32(0));
        params[163] = mul_hi(p31, q31);
        mixed[163] = mul_hi(a[i], u32(0));
    }
    if i == 32 {
        literals[32] = min(u32(734916625), u32(0));
        params[32] = min(p32, q32);
        mixed[32] = min(u32(734916625), q32);
        literals[65] = max(u32(734916625), u32(0));
        params[65] = max(p32, q32);
        mixed[65] = max(a[i], u32(0));
        literals[98] = clamp(u32(734916625), min(u32(734916625), u32(0)), max(u32(734916625), u32(0)) / 2);
        params[98] = clamp(p32, min(p32, q32), max(p32, q32) / 2);
        mixed[98] = clamp(u32(734916625), min(u32(734916625), q32), max(u32(734916625), q32) / 2);
        literals[131] = sign(u32(734916625));
        params[131] = sign(p32);
        mixed[131] = sign(a[i]);
        literals[164] = mul_hi(u32(734916625), u32(0));
        params[164] = mul_hi(p32, q32);
        mixed[164] = mul_hi(u32(734916625), q32);
    }
}
