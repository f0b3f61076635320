// Least, greatest, clamp, sign and the high half of a product.
// Rows: min(A, B), max(A, B), clamp(A, min(A, B), max(A, B) / 2), sign(A), mul_hi(A, B).
// The same operands loaded, as literals, as params, and mixed.
//! args --in a=0,1,-1,7,-7,2147483647,-2147483648,-2147483647,-696739139,0,1,-1,7,-7,2147483647,-2147483648,-2147483647,-696739139,0,1,-1,7,-7,2147483647,-2147483648,-2147483647,-696739139,1,-1,-7,2147483647,-2147483648,-696739139,-2147483648 --in b=0,2147483647,1,-2147483648,-1,-2147483647,7,-696739139,-7,1,-2147483648,-1,-2147483647,7,-696739139,-7,0,2147483647,7,-696739139,-7,0,2147483647,1,-2147483648,-1,-2147483647,0,0,0,0,0,0,-1 --set p0=0 --set q0=0 --set p1=1 --set q1=2147483647 --set p2=-1 --set q2=1 --set p3=7 --set q3=-2147483648 --set p4=-7 --set q4=-1 --set p5=2147483647 --set q5=-2147483647 --set p6=-2147483648 --set q6=7 --set p7=-2147483647 --set q7=-696739139 --set p8=-696739139 --set q8=-7 --set p9=0 --set q9=1 --set p10=1 --set q10=-2147483648 --set p11=-1 --set q11=-1 --set p12=7 --set q12=-2147483647 --set p13=-7 --set q13=7 --set p14=2147483647 --set q14=-696739139 --set p15=-2147483648 --set q15=-7 --set p16=-2147483647 --set q16=0 --set p17=-696739139 --set q17=2147483647 --set p18=0 --set q18=7 --set p19=1 --set q19=-696739139 --set p20=-1 --set q20=-7 --set p21=7 --set q21=0 --set p22=-7 --set q22=2147483647 --set p23=2147483647 --set q23=1 --set p24=-2147483648 --set q24=-2147483648 --set p25=-2147483647 --set q25=-1 --set p26=-696739139 --set q26=-2147483647 --set p27=1 --set q27=0 --set p28=-1 --set q28=0 --set p29=-7 --set q29=0 --set p30=2147483647 --set q30=0 --set p31=-2147483648 --set q31=0 --set p32=-696739139 --set q32=0 --set p33=-2147483648 --set q33=-1
//! out loaded: 0 1 -1 -2147483648 -7 -2147483647 -2147483648 -2147483647 -696739139 0 -2147483648 -1 -2147483647 -7 -696739139 -2147483648 -2147483647 -696739139 0 -696739139 -7 0 -7 1 -2147483648 -2147483647 -2147483647 0 -1 -7 0 -2147483648 -696739139 -2147483648 0 2147483647 1 7 -1 2147483647 7 -696739139 -7 1 1 -1 7 7 2147483647 -7 0 2147483647 7 1 -1 7 2147483647 2147483647 -2147483648 -1 -696739139 1 0 0 2147483647 0 0 -1 0 1 -1 3 -7 1073741823 -2147483648 -2147483647 -696739139 0 0 -1 3 -7 1073741823 -2147483648 -2147483647 -696739139 0 0 -1 3 -7 1073741823 -2147483648 -2147483647 -696739139 0 -1 -7 1073741823 -2147483648 -696739139 -2147483648 0 1 -1 1 -1 1 -1 -1 -1 0 1 -1 1 -1 1 -1 -1 -1 0 1 -1 1 -1 1 -1 -1 -1 1 -1 -1 1 -1 -1 -1 0 0 -1 -4 0 -1073741824 -4 348369569 1 0 -1 0 -4 -1 -348369570 3 0 -348369570 0 -1 0 0 -4 0 1073741824 0 348369569 0 0 0 0 0 0 0
//! out literals: 0 1 -1 -2147483648 -7 -2147483647 -2147483648 -2147483647 -696739139 0 -2147483648 -1 -2147483647 -7 -696739139 -2147483648 -2147483647 -696739139 0 -696739139 -7 0 -7 1 -2147483648 -2147483647 -2147483647 0 -1 -7 0 -2147483648 -696739139 -2147483648 0 2147483647 1 7 -1 2147483647 7 -696739139 -7 1 1 -1 7 7 2147483647 -7 0 2147483647 7 1 -1 7 2147483647 2147483647 -2147483648 -1 -696739139 1 0 0 2147483647 0 0 -1 0 1 -1 3 -7 1073741823 -2147483648 -2147483647 -696739139 0 0 -1 3 -7 1073741823 -2147483648 -2147483647 -696739139 0 0 -1 3 -7 1073741823 -2147483648 -2147483647 -696739139 0 -1 -7 1073741823 -2147483648 -696739139 -2147483648 0 1 -1 1 -1 1 -1 -1 -1 0 1 -1 1 -1 1 -1 -1 -1 0 1 -1 1 -1 1 -1 -1 -1 1 -1 -1 1 -1 -1 -1 0 0 -1 -4 0 -1073741824 -4 348369569 1 0 -1 0 -4 -1 -348369570 3 0 -348369570 0 -1 0 0 -4 0 1073741824 0 348369569 0 0 0 0 0 0 0
//! out params: 0 1 -1 -2147483648 -7 -2147483647 -2147483648 -2147483647 -696739139 0 -2147483648 -1 -2147483647 -7 -696739139 -2147483648 -2147483647 -696739139 0 -696739139 -7 0 -7 1 -2147483648 -2147483647 -2147483647 0 -1 -7 0 -2147483648 -696739139 -2147483648 0 2147483647 1 7 -1 2147483647 7 -696739139 -7 1 1 -1 7 7 2147483647 -7 0 2147483647 7 1 -1 7 2147483647 2147483647 -2147483648 -1 -696739139 1 0 0 2147483647 0 0 -1 0 1 -1 3 -7 1073741823 -2147483648 -2147483647 -696739139 0 0 -1 3 -7 1073741823 -2147483648 -2147483647 -696739139 0 0 -1 3 -7 1073741823 -2147483648 -2147483647 -696739139 0 -1 -7 1073741823 -2147483648 -696739139 -2147483648 0 1 -1 1 -1 1 -1 -1 -1 0 1 -1 1 -1 1 -1 -1 -1 0 1 -1 1 -1 1 -1 -1 -1 1 -1 -1 1 -1 -1 -1 0 0 -1 -4 0 -1073741824 -4 348369569 1 0 -1 0 -4 -1 -348369570 3 0 -348369570 0 -1 0 0 -4 0 1073741824 0 348369569 0 0 0 0 0 0 0
//! out mixed: 0 1 -1 -2147483648 -7 -2147483647 -2147483648 -2147483647 -696739139 0 -2147483648 -1 -2147483647 -7 -696739139 -2147483648 -2147483647 -696739139 0 -696739139 -7 0 -7 1 -2147483648 -2147483647 -2147483647 0 -1 -7 0 -2147483648 -696739139 -2147483648 0 2147483647 1 7 -1 2147483647 7 -696739139 -7 1 1 -1 7 7 2147483647 -7 0 2147483647 7 1 -1 7 2147483647 2147483647 -2147483648 -1 -696739139 1 0 0 2147483647 0 0 -1 0 1 -1 3 -7 1073741823 -2147483648 -2147483647 -696739139 0 0 -1 3 -7 1073741823 -2147483648 -2147483647 -696739139 0 0 -1 3 -7 1073741823 -2147483648 -2147483647 -696739139 0 -1 -7 1073741823 -2147483648 -696739139 -2147483648 0 1 -1 1 -1 1 -1 -1 -1 0 1 -1 1 -1 1 -1 -1 -1 0 1 -1 1 -1 1 -1 -1 -1 1 -1 -1 1 -1 -1 -1 0 0 -1 -4 0 -1073741824 -4 348369569 1 0 -1 0 -4 -1 -348369570 3 0 -348369570 0 -1 0 0 -4 0 1073741824 0 348369569 0 0 0 0 0 0 0
//! order-free yes
program rule_order_i32;

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
param i32 p16;
param i32 q16;
param i32 p17;
param i32 q17;
param i32 p18;
param i32 q18;
param i32 p19;
param i32 q19;
param i32 p20;
param i32 q20;
param i32 p21;
param i32 q21;
param i32 p22;
param i32 q22;
param i32 p23;
param i32 q23;
param i32 p24;
param i32 q24;
param i32 p25;
param i32 q25;
param i32 p26;
param i32 q26;
param i32 p27;
param i32 q27;
param i32 p28;
param i32 q28;
param i32 p29;
param i32 q29;
param i32 p30;
param i32 q30;
param i32 p31;
param i32 q31;
param i32 p32;
param i32 q32;
param i32 p33;
param i32 q33;
in  i32 a[34];
in  i32 b[34];
out i32 loaded[170];
out i32 literals[170];
out i32 params[170];
out i32 mixed[170];

kernel (34) workgroup(4) {
    let i = gid.x;
    loaded[0 + i] = min(a[i], b[i]);
    loaded[34 + i] = max(a[i], b[i]);
    loaded[68 + i] = clamp(a[i], min(a[i], b[i]), max(a[i], b[i]) / 2);
    loaded[102 + i] = sign(a[i]);
    loaded[136 + i] = mul_hi(a[i], b[i]);
    if i == 0 {
        literals[0] = min(i32(0), i32(0));
        params[0] = min(p0, q0);
        mixed[0] = min(i32(0), q0);
        literals[34] = max(i32(0), i32(0));
        params[34] = max(p0, q0);
        mixed[34] = max(a[i], i32(0));
        literals[68] = clamp(i32(0), min(i32(0), i32(0)), max(i32(0), i32(0)) / 2);
        params[68] = clamp(p0, min(p0, q0), max(p0, q0) / 2);
        mixed[68] = clamp(i32(0), min(i32(0), q0), max(i32(0), q0) / 2);
        literals[102] = sign(i32(0));
        params[102] = sign(p0);
        mixed[102] = sign(a[i]);
        literals[136] = mul_hi(i32(0), i32(0));
        params[136] = mul_hi(p0, q0);
        mixed[136] = mul_hi(i32(0), q0);
    }
    if i == 1 {
        literals[1] = min(i32(1), i32(2147483647));
        params[1] = min(p1, q1);
        mixed[1] = min(a[i], i32(2147483647));
        literals[35] = max(i32(1), i32(2147483647));
        params[35] = max(p1, q1);
        mixed[35] = max(i32(1), q1);
        literals[69] = clamp(i32(1), min(i32(1), i32(2147483647)), max(i32(1), i32(2147483647)) / 2);
        params[69] = clamp(p1, min(p1, q1), max(p1, q1) / 2);
        mixed[69] = clamp(a[i], min(a[i], i32(2147483647)), max(a[i], i32(2147483647)) / 2);
        literals[103] = sign(i32(1));
        params[103] = sign(p1);
        mixed[103] = sign(i32(1));
        literals[137] = mul_hi(i32(1), i32(2147483647));
        params[137] = mul_hi(p1, q1);
        mixed[137] = mul_hi(a[i], i32(2147483647));
    }
    if i == 2 {
        literals[2] = min(i32(-1), i32(1));
        params[2] = min(p2, q2);
        mixed[2] = min(i32(-1), q2);
        literals[36] = max(i32(-1), i32(1));
        params[36] = max(p2, q2);
        mixed[36] = max(a[i], i32(1));
        literals[70] = clamp(i32(-1), min(i32(-1), i32(1)), max(i32(-1), i32(1)) / 2);
        params[70] = clamp(p2, min(p2, q2), max(p2, q2) / 2);
        mixed[70] = clamp(i32(-1), min(i32(-1), q2), max(i32(-1), q2) / 2);
        literals[104] = sign(i32(-1));
        params[104] = sign(p2);
        mixed[104] = sign(a[i]);
        literals[138] = mul_hi(i32(-1), i32(1));
        params[138] = mul_hi(p2, q2);
        mixed[138] = mul_hi(i32(-1), q2);
    }
    if i == 3 {
        literals[3] = min(i32(7), (i32(-2147483647) - 1));
        params[3] = min(p3, q3);
        mixed[3] = min(a[i], (i32(-2147483647) - 1));
        literals[37] = max(i32(7), (i32(-2147483647) - 1));
        params[37] = max(p3, q3);
        mixed[37] = max(i32(7), q3);
        literals[71] = clamp(i32(7), min(i32(7), (i32(-2147483647) - 1)), max(i32(7), (i32(-2147483647) - 1)) / 2);
        params[71] = clamp(p3, min(p3, q3), max(p3, q3) / 2);
        mixed[71] = clamp(a[i], min(a[i], (i32(-2147483647) - 1)), max(a[i], (i32(-2147483647) - 1)) / 2);
        literals[105] = sign(i32(7));
        params[105] = sign(p3);
        mixed[105] = sign(i32(7));
        literals[139] = mul_hi(i32(7), (i32(-2147483647) - 1));
        params[139] = mul_hi(p3, q3);
        mixed[139] = mul_hi(a[i], (i32(-2147483647) - 1));
    }
    if i == 4 {
        literals[4] = min(i32(-7), i32(-1));
        params[4] = min(p4, q4);
        mixed[4] = min(i32(-7), q4);
        literals[38] = max(i32(-7), i32(-1));
        params[38] = max(p4, q4);
        mixed[38] = max(a[i], i32(-1));
        literals[72] = clamp(i32(-7), min(i32(-7), i32(-1)), max(i32(-7), i32(-1)) / 2);
        params[72] = clamp(p4, min(p4, q4), max(p4, q4) / 2);
        mixed[72] = clamp(i32(-7), min(i32(-7), q4), max(i32(-7), q4) / 2);
        literals[106] = sign(i32(-7));
        params[106] = sign(p4);
        mixed[106] = sign(a[i]);
        literals[140] = mul_hi(i32(-7), i32(-1));
        params[140] = mul_hi(p4, q4);
        mixed[140] = mul_hi(i32(-7), q4);
    }
    if i == 5 {
        literals[5] = min(i32(2147483647), i32(-2147483647));
        params[5] = min(p5, q5);
        mixed[5] = min(a[i], i32(-2147483647));
        literals[39] = max(i32(2147483647), i32(-2147483647));
        params[39] = max(p5, q5);
        mixed[39] = max(i32(2147483647), q5);
        literals[73] = clamp(i32(2147483647), min(i32(2147483647), i32(-2147483647)), max(i32(2147483647), i32(-2147483647)) / 2);
        params[73] = clamp(p5, min(p5, q5), max(p5, q5) / 2);
        mixed[73] = clamp(a[i], min(a[i], i32(-2147483647)), max(a[i], i32(-2147483647)) / 2);
        literals[107] = sign(i32(2147483647));
        params[107] = sign(p5);
        mixed[107] = sign(i32(2147483647));
        literals[141] = mul_hi(i32(2147483647), i32(-2147483647));
        params[141] = mul_hi(p5, q5);
        mixed[141] = mul_hi(a[i], i32(-2147483647));
    }
    if i == 6 {
        literals[6] = min((i32(-2147483647) - 1), i32(7));
        params[6] = min(p6, q6);
        mixed[6] = min((i32(-2147483647) - 1), q6);
        literals[40] = max((i32(-2147483647) - 1), i32(7));
        params[40] = max(p6, q6);
        mixed[40] = max(a[i], i32(7));
        literals[74] = clamp((i32(-2147483647) - 1), min((i32(-2147483647) - 1), i32(7)), max((i32(-2147483647) - 1), i32(7)) / 2);
        params[74] = clamp(p6, min(p6, q6), max(p6, q6) / 2);
        mixed[74] = clamp((i32(-2147483647) - 1), min((i32(-2147483647) - 1), q6), max((i32(-2147483647) - 1), q6) / 2);
        literals[108] = sign((i32(-2147483647) - 1));
        params[108] = sign(p6);
        mixed[108] = sign(a[i]);
        literals[142] = mul_hi((i32(-2147483647) - 1), i32(7));
        params[142] = mul_hi(p6, q6);
        mixed[142] = mul_hi((i32(-2147483647) - 1), q6);
    }
    if i == 7 {
        literals[7] = min(i32(-2147483647), i32(-696739139));
        params[7] = min(p7, q7);
        mixed[7] = min(a[i], i32(-696739139));
        literals[41] = max(i32(-2147483647), i32(-696739139));
        params[41] = max(p7, q7);
        mixed[41] = max(i32(-2147483647), q7);
        literals[75] = clamp(i32(-2147483647), min(i32(-2147483647), i32(-696739139)), max(i32(-2147483647), i32(-696739139)) / 2);
        params[75] = clamp(p7, min(p7, q7), max(p7, q7) / 2);
        mixed[75] = clamp(a[i], min(a[i], i32(-696739139)), max(a[i], i32(-696739139)) / 2);
        literals[109] = sign(i32(-2147483647));
        params[109] = sign(p7);
        mixed[109] = sign(i32(-2147483647));
        literals[143] = mul_hi(i32(-2147483647), i32(-696739139));
        params[143] = mul_hi(p7, q7);
        mixed[143] = mul_hi(a[i], i32(-696739139));
    }
    if i == 8 {
        literals[8] = min(i32(-696739139), i32(-7));
        params[8] = min(p8, q8);
        mixed[8] = min(i32(-696739139), q8);
        literals[42] = max(i32(-696739139), i32(-7));
        params[42] = max(p8, q8);
        mixed[42] = max(a[i], i32(-7));
        literals[76] = clamp(i32(-696739139), min(i32(-696739139), i32(-7)), max(i32(-696739139), i32(-7)) / 2);
        params[76] = clamp(p8, min(p8, q8), max(p8, q8) / 2);
        mixed[76] = clamp(i32(-696739139), min(i32(-696739139), q8), max(i32(-696739139), q8) / 2);
        literals[110] = sign(i32(-696739139));
        params[110] = sign(p8);
        mixed[110] = sign(a[i]);
        literals[144] = mul_hi(i32(-696739139), i32(-7));
        params[144] = mul_hi(p8, q8);
        mixed[144] = mul_hi(i32(-696739139), q8);
    }
    if i == 9 {
        literals[9] = min(i32(0), i32(1));
        params[9] = min(p9, q9);
        mixed[9] = min(a[i], i32(1));
        literals[43] = max(i32(0), i32(1));
        params[43] = max(p9, q9);
        mixed[43] = max(i32(0), q9);
        literals[77] = clamp(i32(0), min(i32(0), i32(1)), max(i32(0), i32(1)) / 2);
        params[77] = clamp(p9, min(p9, q9), max(p9, q9) / 2);
        mixed[77] = clamp(a[i], min(a[i], i32(1)), max(a[i], i32(1)) / 2);
        literals[111] = sign(i32(0));
        params[111] = sign(p9);
        mixed[111] = sign(i32(0));
        literals[145] = mul_hi(i32(0), i32(1));
        params[145] = mul_hi(p9, q9);
        mixed[145] = mul_hi(a[i], i32(1));
    }
    if i == 10 {
        literals[10] = min(i32(1), (i32(-2147483647) - 1));
        params[10] = min(p10, q10);
        mixed[10] = min(i32(1), q10);
        literals[44] = max(i32(1), (i32(-2147483647) - 1));
        params[44] = max(p10, q10);
        mixed[44] = max(a[i], (i32(-2147483647) - 1));
        literals[78] = clamp(i32(1), min(i32(1), (i32(-2147483647) - 1)), max(i32(1), (i32(-2147483647) - 1)) / 2);
        params[78] = clamp(p10, min(p10, q10), max(p10, q10) / 2);
        mixed[78] = clamp(i32(1), min(i32(1), q10), max(i32(1), q10) / 2);
        literals[112] = sign(i32(1));
        params[112] = sign(p10);
        mixed[112] = sign(a[i]);
        literals[146] = mul_hi(i32(1), (i32(-2147483647) - 1));
        params[146] = mul_hi(p10, q10);
        mixed[146] = mul_hi(i32(1), q10);
    }
    if i == 11 {
        literals[11] = min(i32(-1), i32(-1));
        params[11] = min(p11, q11);
        mixed[11] = min(a[i], i32(-1));
        literals[45] = max(i32(-1), i32(-1));
        params[45] = max(p11, q11);
        mixed[45] = max(i32(-1), q11);
        literals[79] = clamp(i32(-1), min(i32(-1), i32(-1)), max(i32(-1), i32(-1)) / 2);
        params[79] = clamp(p11, min(p11, q11), max(p11, q11) / 2);
        mixed[79] = clamp(a[i], min(a[i], i32(-1)), max(a[i], i32(-1)) / 2);
        literals[113] = sign(i32(-1));
        params[113] = sign(p11);
        mixed[113] = sign(i32(-1));
        literals[147] = mul_hi(i32(-1), i32(-1));
        params[147] = mul_hi(p11, q11);
        mixed[147] = mul_hi(a[i], i32(-1));
    }
    if i == 12 {
        literals[12] = min(i32(7), i32(-2147483647));
        params[12] = min(p12, q12);
        mixed[12] = min(i32(7), q12);
        literals[46] = max(i32(7), i32(-2147483647));
        params[46] = max(p12, q12);
        mixed[46] = max(a[i], i32(-2147483647));
        literals[80] = clamp(i32(7), min(i32(7), i32(-2147483647)), max(i32(7), i32(-2147483647)) / 2);
        params[80] = clamp(p12, min(p12, q12), max(p12, q12) / 2);
        mixed[80] = clamp(i32(7), min(i32(7), q12), max(i32(7), q12) / 2);
        literals[114] = sign(i32(7));
        params[114] = sign(p12);
        mixed[114] = sign(a[i]);
        literals[148] = mul_hi(i32(7), i32(-2147483647));
        params[148] = mul_hi(p12, q12);
        mixed[148] = mul_hi(i32(7), q12);
    }
    if i == 13 {
        literals[13] = min(i32(-7), i32(7));
        params[13] = min(p13, q13);
        mixed[13] = min(a[i], i32(7));
        literals[47] = max(i32(-7), i32(7));
        params[47] = max(p13, q13);
        mixed[47] = max(i32(-7), q13);
        literals[81] = clamp(i32(-7), min(i32(-7), i32(7)), max(i32(-7), i32(7)) / 2);
        params[81] = clamp(p13, min(p13, q13), max(p13, q13) / 2);
        mixed[81] = clamp(a[i], min(a[i], i32(7)), max(a[i], i32(7)) / 2);
        literals[115] = sign(i32(-7));
        params[115] = sign(p13);
        mixed[115] = sign(i32(-7));
        literals[149] = mul_hi(i32(-7), i32(7));
        params[149] = mul_hi(p13, q13);
        mixed[149] = mul_hi(a[i], i32(7));
    }
    if i == 14 {
        literals[14] = min(i32(2147483647), i32(-696739139));
        params[14] = min(p14, q14);
        mixed[14] = min(i32(2147483647), q14);
        literals[48] = max(i32(2147483647), i32(-696739139));
        params[48] = max(p14, q14);
        mixed[48] = max(a[i], i32(-696739139));
        literals[82] = clamp(i32(2147483647), min(i32(2147483647), i32(-696739139)), max(i32(2147483647), i32(-696739139)) / 2);
        params[82] = clamp(p14, min(p14, q14), max(p14, q14) / 2);
        mixed[82] = clamp(i32(2147483647), min(i32(2147483647), q14), max(i32(2147483647), q14) / 2);
        literals[116] = sign(i32(2147483647));
        params[116] = sign(p14);
        mixed[116] = sign(a[i]);
        literals[150] = mul_hi(i32(2147483647), i32(-696739139));
        params[150] = mul_hi(p14, q14);
        mixed[150] = mul_hi(i32(2147483647), q14);
    }
    if i == 15 {
        literals[15] = min((i32(-2147483647) - 1), i32(-7));
        params[15] = min(p15, q15);
        mixed[15] = min(a[i], i32(-7));
        literals[49] = max((i32(-2147483647) - 1), i32(-7));
        params[49] = max(p15, q15);
        mixed[49] = max((i32(-2147483647) - 1), q15);
        literals[83] = clamp((i32(-2147483647) - 1), min((i32(-2147483647) - 1), i32(-7)), max((i32(-2147483647) - 1), i32(-7)) / 2);
        params[83] = clamp(p15, min(p15, q15), max(p15, q15) / 2);
        mixed[83] = clamp(a[i], min(a[i], i32(-7)), max(a[i], i32(-7)) / 2);
        literals[117] = sign((i32(-2147483647) - 1));
        params[117] = sign(p15);
        mixed[117] = sign((i32(-2147483647) - 1));
        literals[151] = mul_hi((i32(-2147483647) - 1), i32(-7));
        params[151] = mul_hi(p15, q15);
        mixed[151] = mul_hi(a[i], i32(-7));
    }
    if i == 16 {
        literals[16] = min(i32(-2147483647), i32(0));
        params[16] = min(p16, q16);
        mixed[16] = min(i32(-2147483647), q16);
        literals[50] = max(i32(-2147483647), i32(0));
        params[50] = max(p16, q16);
        mixed[50] = max(a[i], i32(0));
        literals[84] = clamp(i32(-2147483647), min(i32(-2147483647), i32(0)), max(i32(-2147483647), i32(0)) / 2);
        params[84] = clamp(p16, min(p16, q16), max(p16, q16) / 2);
        mixed[84] = clamp(i32(-2147483647), min(i32(-2147483647), q16), max(i32(-2147483647), q16) / 2);
        literals[118] = sign(i32(-2147483647));
        params[118] = sign(p16);
        mixed[118] = sign(a[i]);
        literals[152] = mul_hi(i32(-2147483647), i32(0));
        params[152] = mul_hi(p16, q16);
        mixed[152] = mul_hi(i32(-2147483647), q16);
    }
    if i == 17 {
        literals[17] = min(i32(-696739139), i32(2147483647));
        params[17] = min(p17, q17);
        mixed[17] = min(a[i], i32(2147483647));
        literals[51] = max(i32(-696739139), i32(2147483647));
        params[51] = max(p17, q17);
        mixed[51] = max(i32(-696739139), q17);
        literals[85] = clamp(i32(-696739139), min(i32(-696739139), i32(2147483647)), max(i32(-696739139), i32(2147483647)) / 2);
        params[85] = clamp(p17, min(p17, q17), max(p17, q17) / 2);
        mixed[85] = clamp(a[i], min(a[i], i32(2147483647)), max(a[i], i32(2147483647)) / 2);
        literals[119] = sign(i32(-696739139));
        params[119] = sign(p17);
        mixed[119] = sign(i32(-696739139));
        literals[153] = mul_hi(i32(-696739139), i32(2147483647));
        params[153] = mul_hi(p17, q17);
        mixed[153] = mul_hi(a[i], i32(2147483647));
    }
    if i == 18 {
        literals[18] = min(i32(0), i32(7));
        params[18] = min(p18, q18);
        mixed[18] = min(i32(0), q18);
        literals[52] = max(i32(0), i32(7));
        params[52] = max(p18, q18);
        mixed[52] = max(a[i], i32(7));
        literals[86] = clamp(i32(0), min(i32(0), i32(7)), max(i32(0), i32(7)) / 2);
        params[86] = clamp(p18, min(p18, q18), max(p18, q18) / 2);
        mixed[86] = clamp(i32(0), min(i32(0), q18), max(i32(0), q18) / 2);
        literals[120] = sign(i32(0));
        params[120] = sign(p18);
        mixed[120] = sign(a[i]);
        literals[154] = mul_hi(i32(0), i32(7));
        params[154] = mul_hi(p18, q18);
        mixed[154] = mul_hi(i32(0), q18);
    }
    if i == 19 {
        literals[19] = min(i32(1), i32(-696739139));
        params[19] = min(p19, q19);
        mixed[19] = min(a[i], i32(-696739139));
        literals[53] = max(i32(1), i32(-696739139));
        params[53] = max(p19, q19);
        mixed[53] = max(i32(1), q19);
        literals[87] = clamp(i32(1), min(i32(1), i32(-696739139)), max(i32(1), i32(-696739139)) / 2);
        params[87] = clamp(p19, min(p19, q19), max(p19, q19) / 2);
        mixed[87] = clamp(a[i], min(a[i], i32(-696739139)), max(a[i], i32(-696739139)) / 2);
        literals[121] = sign(i32(1));
        params[121] = sign(p19);
        mixed[121] = sign(i32(1));
        literals[155] = mul_hi(i32(1), i32(-696739139));
        params[155] = mul_hi(p19, q19);
        mixed[155] = mul_hi(a[i], i32(-696739139));
    }
    if i == 20 {
        literals[20] = min(i32(-1), i32(-7));
        params[20] = min(p20, q20);
        mixed[20] = min(i32(-1), q20);
        literals[54] = max(i32(-1), i32(-7));
        params[54] = max(p20, q20);
        mixed[54] = max(a[i], i32(-7));
        literals[88] = clamp(i32(-1), min(i32(-1), i32(-7)), max(i32(-1), i32(-7)) / 2);
        params[88] = clamp(p20, min(p20, q20), max(p20, q20) / 2);
        mixed[88] = clamp(i32(-1), min(i32(-1), q20), max(i32(-1), q20) / 2);
        literals[122] = sign(i32(-1));
        params[122] = sign(p20);
        mixed[122] = sign(a[i]);
        literals[156] = mul_hi(i32(-1), i32(-7));
        params[156] = mul_hi(p20, q20);
        mixed[156] = mul_hi(i32(-1), q20);
    }
    if i == 21 {
        literals[21] = min(i32(7), i32(0));
        params[21] = min(p21, q21);
        mixed[21] = min(a[i], i32(0));
        literals[55] = max(i32(7), i32(0));
        params[55] = max(p21, q21);
        mixed[55] = max(i32(7), q21);
        literals[89] = clamp(i32(7), min(i32(7), i32(0)), max(i32(7), i32(0)) / 2);
        params[89] = clamp(p21, min(p21, q21), max(p21, q21) / 2);
        mixed[89] = clamp(a[i], min(a[i], i32(0)), max(a[i], i32(0)) / 2);
        literals[123] = sign(i32(7));
        params[123] = sign(p21);
        mixed[123] = sign(i32(7));
        literals[157] = mul_hi(i32(7), i32(0));
        params[157] = mul_hi(p21, q21);
        mixed[157] = mul_hi(a[i], i32(0));
    }
    if i == 22 {
        literals[22] = min(i32(-7), i32(2147483647));
        params[22] = min(p22, q22);
        mixed[22] = min(i32(-7), q22);
        literals[56] = max(i32(-7), i32(2147483647));
        params[56] = max(p22, q22);
        mixed[56] = max(a[i], i32(2147483647));
        literals[90] = clamp(i32(-7), min(i32(-7), i32(2147483647)), max(i32(-7), i32(2147483647)) / 2);
        params[90] = clamp(p22, min(p22, q22), max(p22, q22) / 2);
        mixed[90] = clamp(i32(-7), min(i32(-7), q22), max(i32(-7), q22) / 2);
        literals[124] = sign(i32(-7));
        params[124] = sign(p22);
        mixed[124] = sign(a[i]);
        literals[158] = mul_hi(i32(-7), i32(2147483647));
        params[158] = mul_hi(p22, q22);
        mixed[158] = mul_hi(i32(-7), q22);
    }
    if i == 23 {
        literals[23] = min(i32(2147483647), i32(1));
        params[23] = min(p23, q23);
        mixed[23] = min(a[i], i32(1));
        literals[57] = max(i32(2147483647), i32(1));
        params[57] = max(p23, q23);
        mixed[57] = max(i32(2147483647), q23);
        literals[91] = clamp(i32(2147483647), min(i32(2147483647), i32(1)), max(i32(2147483647), i32(1)) / 2);
        params[91] = clamp(p23, min(p23, q23), max(p23, q23) / 2);
        mixed[91] = clamp(a[i], min(a[i], i32(1)), max(a[i], i32(1)) / 2);
        literals[125] = sign(i32(2147483647));
        params[125] = sign(p23);
        mixed[125] = sign(i32(2147483647));
        literals[159] = mul_hi(i32(2147483647), i32(1));
        params[159] = mul_hi(p23, q23);
        mixed[159] = mul_hi(a[i], i32(1));
    }
    if i == 24 {
        literals[24] = min((i32(-2147483647) - 1), (i32(-2147483647) - 1));
        params[24] = min(p24, q24);
        mixed[24] = min((i32(-2147483647) - 1), q24);
        literals[58] = max((i32(-2147483647) - 1), (i32(-2147483647) - 1));
        params[58] = max(p24, q24);
        mixed[58] = max(a[i], (i32(-2147483647) - 1));
        literals[92] = clamp((i32(-2147483647) - 1), min((i32(-2147483647) - 1), (i32(-2147483647) - 1)), max((i32(-2147483647) - 1), (i32(-2147483647) - 1)) / 2);
        params[92] = clamp(p24, min(p24, q24), max(p24, q24) / 2);
        mixed[92] = clamp((i32(-2147483647) - 1), min((i32(-2147483647) - 1), q24), max((i32(-2147483647) - 1), q24) / 2);
        literals[126] = sign((i32(-2147483647) - 1));
        params[126] = sign(p24);
        mixed[126] = sign(a[i]);
        literals[160] = mul_hi((i32(-2147483647) - 1), (i32(-2147483647) - 1));
        params[160] = mul_hi(p24, q24);
        mixed[160] = mul_hi((i32(-2147483647) - 1), q24);
    }
    if i == 25 {
        literals[25] = min(i32(-2147483647), i32(-1));
        params[25] = min(p25, q25);
        mixed[25] = min(a[i], i32(-1));
        literals[59] = max(i32(-2147483647), i32(-1));
        params[59] = max(p25, q25);
        mixed[59] = max(i32(-2147483647), q25);
        literals[93] = clamp(i32(-2147483647), min(i32(-2147483647), i32(-1)), max(i32(-2147483647), i32(-1)) / 2);
        params[93] = clamp(p25, min(p25, q25), max(p25, q25) / 2);
        mixed[93] = clamp(a[i], min(a[i], i32(-1)), max(a[i], i32(-1)) / 2);
        literals[127] = sign(i32(-2147483647));
        params[127] = sign(p25);
        mixed[127] = sign(i32(-2147483647));
        literals[161] = mul_hi(i32(-2147483647), i32(-1));
        params[161] = mul_hi(p25, q25);
        mixed[161] = mul_hi(a[i], i32(-1));
    }
    if i == 26 {
        literals[26] = min(i32(-696739139), i32(-2147483647));
        params[26] = min(p26, q26);
        mixed[26] = min(i32(-696739139), q26);
        literals[60] = max(i32(-696739139), i32(-2147483647));
        params[60] = max(p26, q26);
        mixed[60] = max(a[i], i32(-2147483647));
        literals[94] = clamp(i32(-696739139), min(i32(-696739139), i32(-2147483647)), max(i32(-696739139), i32(-2147483647)) / 2);
        params[94] = clamp(p26, min(p26, q26), max(p26, q26) / 2);
        mixed[94] = clamp(i32(-696739139), min(i32(-696739139), q26), max(i32(-696739139), q26) / 2);
        literals[128] = sign(i32(-696739139));
        params[128] = sign(p26);
        mixed[128] = sign(a[i]);
        literals[162] = mul_hi(i32(-696739139), i32(-2147483647));
        params[162] = mul_hi(p26, q26);
        mixed[162] = mul_hi(i32(-696739139), q26);
    }
    if i == 27 {
        literals[27] = min(i32(1), i32(0));
        params[27] = min(p27, q27);
        mixed[27] = min(a[i], i32(0));
        literals[61] = max(i32(1), i32(0));
        params[61] = max(p27, q27);
        mixed[61] = max(i32(1), q27);
        literals[95] = clamp(i32(1), min(i32(1), i32(0)), max(i32(1), i32(0)) / 2);
        params[95] = clamp(p27, min(p27, q27), max(p27, q27) / 2);
        mixed[95] = clamp(a[i], min(a[i], i32(0)), max(a[i], i32(0)) / 2);
        literals[129] = sign(i32(1));
        params[129] = sign(p27);
        mixed[129] = sign(i32(1));
        literals[163] = mul_hi(i32(1), i32(0));
        params[163] = mul_hi(p27, q27);
        mixed[163] = mul_hi(a[i], i32(0));
    }
    if i == 28 {
        literals[28] = min(i32(-1), i32(0));
        params[28] = min(p28, q28);
        mixed[28] = min(i32(-1), q28);
        literals[62] = max(i32(-1), i32(0));
        params[62] = max(p28, q28);
        mixed[62] = max(a[i], i32(0));
        literals[96] = clamp(i32(-1), min(i32(-1), i32(0)), max(i32(-1), i32(0)) / 2);
        params[96] = clamp(p28, min(p28, q28), max(p28, q28) / 2);
        mixed[96] = clamp(i32(-1), min(i32(-1), q28), max(i32(-1), q28) / 2);
        literals[130] = sign(i32(-1));
        params[130] = sign(p28);
        mixed[130] = sign(a[i]);
        literals[164] = mul_hi(i32(-1), i32(0));
        params[164] = mul_hi(p28, q28);
        mixed[164] = mul_hi(i32(-1), q28);
    }
    if i == 29 {
        literals[29] = min(i32(-7), i32(0));
        params[29] = min(p29, q29);
        mixed[29] = min(a[i], i32(0));
        literals[63] = max(i32(-7), i32(0));
        params[63] = max(p29, q29);
        mixed[63] = max(i32(-7), q29);
        literals[97] = clamp(i32(-7), min(i32(-7), i32(0)), max(i32(-7), i32(0)) / 2);
        params[97] = clamp(p29, min(p29, q29), max(p29, q29) / 2);
        mixed[97] = clamp(a[i], min(a[i], i32(0)), max(a[i], i32(0)) / 2);
        literals[131] = sign(i32(-7));
        params[131] = sign(p29);
        mixed[131] = sign(i32(-7));
        literals[165] = mul_hi(i32(-7), i32(0));
        params[165] = mul_hi(p29, q29);
        mixed[165] = mul_hi(a[i], i32(0));
    }
    if i == 30 {
        literals[30] = min(i32(2147483647), i32(0));
        params[30] = min(p30, q30);
        mixed[30] = min(i32(2147483647), q30);
        literals[64] = max(i32(2147483647), i32(0));
        params[64] = max(p30, q30);
        mixed[64] = max(a[i], i32(0));
        literals[98] = clamp(i32(2147483647), min(i32(2147483647), i32(0)), max(i32(2147483647), i32(0)) / 2);
        params[98] = clamp(p30, min(p30, q30), max(p30, q30) / 2);
        mixed[98] = clamp(i32(2147483647), min(i32(2147483647), q30), max(i32(2147483647), q30) / 2);
        literals[132] = sign(i32(2147483647));
        params[132] = sign(p30);
        mixed[132] = sign(a[i]);
        literals[166] = mul_hi(i32(2147483647), i32(0));
        params[166] = mul_hi(p30, q30);
        mixed[166] = mul_hi(i32(2147483647), q30);
    }
    if i == 31 {
        literals[31] = min((i32(-2147483647) - 1), i32(0));
        params[31] = min(p31, q31);
        mixed[31] = min(a[i], i32(0));
        literals[65] = max((i32(-2147483647) - 1), i32(0));
        params[65] = max(p31, q31);
        mixed[65] = max((i32(-2147483647) - 1), q31);
        literals[99] = clamp((i32(-2147483647) - 1), min((i32(-2147483647) - 1), i32(0)), max((i32(-2147483647) - 1), i32(0)) / 2);
        params[99] = clamp(p31, min(p31, q31), max(p31, q31) / 2);
        mixed[99] = clamp(a[i], min(a[i], i32(0)), max(a[i], i32(0)) / 2);
        literals[133] = sign((i32(-2147483647) - 1));
        params[133] = sign(p31);
        mixed[133] = sign((i32(-2147483647) - 1));
        literals[167] = mul_hi((i32(-2147483647) - 1), i32(0));
        params[167] = mul_hi(p31, q31);
        mixed[167] = mul_hi(a[i], i32(0));
    }
    if i == 32 {
        literals[32] = min(i32(-696739139), i32(0));
        params[32] = min(p32, q32);
        mixed[32] = min(i32(-696739139), q32);
        literals[66] = max(i32(-696739139), i32(0));
        params[66] = max(p32, q32);
        mixed[66] = max(a[i], i32(0));
        literals[100] = clamp(i32(-696739139), min(i32(-696739139), i32(0)), max(i32(-696739139), i32(0)) / 2);
        params[100] = clamp(p32, min(p32, q32), max(p32, q32) / 2);
        mixed[100] = clamp(i32(-696739139), min(i32(-696739139), q32), max(i32(-696739139), q32) / 2);
        literals[134] = sign(i32(-696739139));
        params[134] = sign(p32);
        mixed[134] = sign(a[i]);
        literals[168] = mul_hi(i32(-696739139), i32(0));
        params[168] = mul_hi(p32, q32);
        mixed[168] = mul_hi(i32(-696739139), q32);
    }
    if i == 33 {
        literals[33] = min((i32(-2147483647) - 1), i32(-1));
        params[33] = min(p33, q33);
        mixed[33] = min(a[i], i32(-1));
        literals[67] = max((i32(-2147483647) - 1), i32(-1));
        params[67] = max(p33, q33);
        mixed[67] = max((i32(-2147483647) - 1), q33);
        literals[101] = clamp((i32(-2147483647) - 1), min((i32(-2147483647) - 1), i32(-1)), max((i32(-2147483647) - 1), i32(-1)) / 2);
        params[101] = clamp(p33, min(p33, q33), max(p33, q33) / 2);
        mixed[101] = clamp(a[i], min(a[i], i32(-1)), max(a[i], i32(-1)) / 2);
        literals[135] = sign((i32(-2147483647) - 1));
        params[135] = sign(p33);
        mixed[135] = sign((i32(-2147483647) - 1));
        literals[169] = mul_hi((i32(-2147483647) - 1), i32(-1));
        params[169] = mul_hi(p33, q33);
        mixed[169] = mul_hi(a[i], i32(-1));
    }
}
