// x / 0 is x, x % 0 is 0, the least value / -1 is itself, its remainder 0; else toward zero.
// Rows: A / B, A % B.
// The same operands loaded, as literals, as params, and mixed.
//! args --in a=0,1,-1,7,-7,2147483647,-2147483648,-2147483647,-696739139,0,1,-1,7,-7,2147483647,-2147483648,-2147483647,-696739139,0,1,-1,7,-7,2147483647,-2147483648,-2147483647,-696739139,1,-1,-7,2147483647,-2147483648,-696739139,-2147483648 --in b=0,2147483647,1,-2147483648,-1,-2147483647,7,-696739139,-7,1,-2147483648,-1,-2147483647,7,-696739139,-7,0,2147483647,7,-696739139,-7,0,2147483647,1,-2147483648,-1,-2147483647,0,0,0,0,0,0,-1 --set p0=0 --set q0=0 --set p1=1 --set q1=2147483647 --set p2=-1 --set q2=1 --set p3=7 --set q3=-2147483648 --set p4=-7 --set q4=-1 --set p5=2147483647 --set q5=-2147483647 --set p6=-2147483648 --set q6=7 --set p7=-2147483647 --set q7=-696739139 --set p8=-696739139 --set q8=-7 --set p9=0 --set q9=1 --set p10=1 --set q10=-2147483648 --set p11=-1 --set q11=-1 --set p12=7 --set q12=-2147483647 --set p13=-7 --set q13=7 --set p14=2147483647 --set q14=-696739139 --set p15=-2147483648 --set q15=-7 --set p16=-2147483647 --set q16=0 --set p17=-696739139 --set q17=2147483647 --set p18=0 --set q18=7 --set p19=1 --set q19=-696739139 --set p20=-1 --set q20=-7 --set p21=7 --set q21=0 --set p22=-7 --set q22=2147483647 --set p23=2147483647 --set q23=1 --set p24=-2147483648 --set q24=-2147483648 --set p25=-2147483647 --set q25=-1 --set p26=-696739139 --set q26=-2147483647 --set p27=1 --set q27=0 --set p28=-1 --set q28=0 --set p29=-7 --set q29=0 --set p30=2147483647 --set q30=0 --set p31=-2147483648 --set q31=0 --set p32=-696739139 --set q32=0 --set p33=-2147483648 --set q33=-1
//! out loaded: 0 0 -1 0 7 -1 -306783378 3 99534162 0 0 1 0 -1 -3 306783378 -2147483647 0 0 0 0 7 0 2147483647 1 2147483647 0 1 -1 -7 2147483647 -2147483648 -696739139 -2147483648 0 1 0 7 0 0 -2 -57266230 -5 0 1 0 7 0 57266230 -2 0 -696739139 0 1 -1 0 -7 0 0 0 -696739139 0 0 0 0 0 0 0
//! out literals: 0 0 -1 0 7 -1 -306783378 3 99534162 0 0 1 0 -1 -3 306783378 -2147483647 0 0 0 0 7 0 2147483647 1 2147483647 0 1 -1 -7 2147483647 -2147483648 -696739139 -2147483648 0 1 0 7 0 0 -2 -57266230 -5 0 1 0 7 0 57266230 -2 0 -696739139 0 1 -1 0 -7 0 0 0 -696739139 0 0 0 0 0 0 0
//! out params: 0 0 -1 0 7 -1 -306783378 3 99534162 0 0 1 0 -1 -3 306783378 -2147483647 0 0 0 0 7 0 2147483647 1 2147483647 0 1 -1 -7 2147483647 -2147483648 -696739139 -2147483648 0 1 0 7 0 0 -2 -57266230 -5 0 1 0 7 0 57266230 -2 0 -696739139 0 1 -1 0 -7 0 0 0 -696739139 0 0 0 0 0 0 0
//! out mixed: 0 0 -1 0 7 -1 -306783378 3 99534162 0 0 1 0 -1 -3 306783378 -2147483647 0 0 0 0 7 0 2147483647 1 2147483647 0 1 -1 -7 2147483647 -2147483648 -696739139 -2147483648 0 1 0 7 0 0 -2 -57266230 -5 0 1 0 7 0 57266230 -2 0 -696739139 0 1 -1 0 -7 0 0 0 -696739139 0 0 0 0 0 0 0
//! order-free yes
//! races no
program rule_divide_i32;

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
out i32 loaded[68];
out i32 literals[68];
out i32 params[68];
out i32 mixed[68];

kernel (34) workgroup(4) {
    let i = gid.x;
    loaded[0 + i] = a[i] / b[i];
    loaded[34 + i] = a[i] % b[i];
    if i == 0 {
        literals[0] = i32(0) / i32(0);
        params[0] = p0 / q0;
        mixed[0] = i32(0) / q0;
        literals[34] = i32(0) % i32(0);
        params[34] = p0 % q0;
        mixed[34] = a[i] % i32(0);
    }
    if i == 1 {
        literals[1] = i32(1) / i32(2147483647);
        params[1] = p1 / q1;
        mixed[1] = a[i] / i32(2147483647);
        literals[35] = i32(1) % i32(2147483647);
        params[35] = p1 % q1;
        mixed[35] = i32(1) % q1;
    }
    if i == 2 {
        literals[2] = i32(-1) / i32(1);
        params[2] = p2 / q2;
        mixed[2] = i32(-1) / q2;
        literals[36] = i32(-1) % i32(1);
        params[36] = p2 % q2;
        mixed[36] = a[i] % i32(1);
    }
    if i == 3 {
        literals[3] = i32(7) / (i32(-2147483647) - 1);
        params[3] = p3 / q3;
        mixed[3] = a[i] / (i32(-2147483647) - 1);
        literals[37] = i32(7) % (i32(-2147483647) - 1);
        params[37] = p3 % q3;
        mixed[37] = i32(7) % q3;
    }
    if i == 4 {
        literals[4] = i32(-7) / i32(-1);
        params[4] = p4 / q4;
        mixed[4] = i32(-7) / q4;
        literals[38] = i32(-7) % i32(-1);
        params[38] = p4 % q4;
        mixed[38] = a[i] % i32(-1);
    }
    if i == 5 {
        literals[5] = i32(2147483647) / i32(-2147483647);
        params[5] = p5 / q5;
        mixed[5] = a[i] / i32(-2147483647);
        literals[39] = i32(2147483647) % i32(-2147483647);
        params[39] = p5 % q5;
        mixed[39] = i32(2147483647) % q5;
    }
    if i == 6 {
        literals[6] = (i32(-2147483647) - 1) / i32(7);
        params[6] = p6 / q6;
        mixed[6] = (i32(-2147483647) - 1) / q6;
        literals[40] = (i32(-2147483647) - 1) % i32(7);
        params[40] = p6 % q6;
        mixed[40] = a[i] % i32(7);
    }
    if i == 7 {
        literals[7] = i32(-2147483647) / i32(-696739139);
        params[7] = p7 / q7;
        mixed[7] = a[i] / i32(-696739139);
        literals[41] = i32(-2147483647) % i32(-696739139);
        params[41] = p7 % q7;
        mixed[41] = i32(-2147483647) % q7;
    }
    if i == 8 {
        literals[8] = i32(-696739139) / i32(-7);
        params[8] = p8 / q8;
        mixed[8] = i32(-696739139) / q8;
        literals[42] = i32(-696739139) % i32(-7);
        params[42] = p8 % q8;
        mixed[42] = a[i] % i32(-7);
    }
    if i == 9 {
        literals[9] = i32(0) / i32(1);
        params[9] = p9 / q9;
        mixed[9] = a[i] / i32(1);
        literals[43] = i32(0) % i32(1);
        params[43] = p9 % q9;
        mixed[43] = i32(0) % q9;
    }
    if i == 10 {
        literals[10] = i32(1) / (i32(-2147483647) - 1);
        params[10] = p10 / q10;
        mixed[10] = i32(1) / q10;
        literals[44] = i32(1) % (i32(-2147483647) - 1);
        params[44] = p10 % q10;
        mixed[44] = a[i] % (i32(-2147483647) - 1);
    }
    if i == 11 {
        literals[11] = i32(-1) / i32(-1);
        params[11] = p11 / q11;
        mixed[11] = a[i] / i32(-1);
        literals[45] = i32(-1) % i32(-1);
        params[45] = p11 % q11;
        mixed[45] = i32(-1) % q11;
    }
    if i == 12 {
        literals[12] = i32(7) / i32(-2147483647);
        params[12] = p12 / q12;
        mixed[12] = i32(7) / q12;
        literals[46] = i32(7) % i32(-2147483647);
        params[46] = p12 % q12;
        mixed[46] = a[i] % i32(-2147483647);
    }
    if i == 13 {
        literals[13] = i32(-7) / i32(7);
        params[13] = p13 / q13;
        mixed[13] = a[i] / i32(7);
        literals[47] = i32(-7) % i32(7);
        params[47] = p13 % q13;
        mixed[47] = i32(-7) % q13;
    }
    if i == 14 {
        literals[14] = i32(2147483647) / i32(-696739139);
        params[14] = p14 / q14;
        mixed[14] = i32(2147483647) / q14;
        literals[48] = i32(2147483647) % i32(-696739139);
        params[48] = p14 % q14;
        mixed[48] = a[i] % i32(-696739139);
    }
    if i == 15 {
        literals[15] = (i32(-2147483647) - 1) / i32(-7);
        params[15] = p15 / q15;
        mixed[15] = a[i] / i32(-7);
        literals[49] = (i32(-2147483647) - 1) % i32(-7);
        params[49] = p15 % q15;
        mixed[49] = (i32(-2147483647) - 1) % q15;
    }
    if i == 16 {
        literals[16] = i32(-2147483647) / i32(0);
        params[16] = p16 / q16;
        mixed[16] = i32(-2147483647) / q16;
        literals[50] = i32(-2147483647) % i32(0);
        params[50] = p16 % q16;
        mixed[50] = a[i] % i32(0);
    }
    if i == 17 {
        literals[17] = i32(-696739139) / i32(2147483647);
        params[17] = p17 / q17;
        mixed[17] = a[i] / i32(2147483647);
        literals[51] = i32(-696739139) % i32(2147483647);
        params[51] = p17 % q17;
        mixed[51] = i32(-696739139) % q17;
    }
    if i == 18 {
        literals[18] = i32(0) / i32(7);
        params[18] = p18 / q18;
        mixed[18] = i32(0) / q18;
        literals[52] = i32(0) % i32(7);
        params[52] = p18 % q18;
        mixed[52] = a[i] % i32(7);
    }
    if i == 19 {
        literals[19] = i32(1) / i32(-696739139);
        params[19] = p19 / q19;
        mixed[19] = a[i] / i32(-696739139);
        literals[53] = i32(1) % i32(-696739139);
        params[53] = p19 % q19;
        mixed[53] = i32(1) % q19;
    }
    if i == 20 {
        literals[20] = i32(-1) / i32(-7);
        params[20] = p20 / q20;
        mixed[20] = i32(-1) / q20;
        literals[54] = i32(-1) % i32(-7);
        params[54] = p20 % q20;
        mixed[54] = a[i] % i32(-7);
    }
    if i == 21 {
        literals[21] = i32(7) / i32(0);
        params[21] = p21 / q21;
        mixed[21] = a[i] / i32(0);
        literals[55] = i32(7) % i32(0);
        params[55] = p21 % q21;
        mixed[55] = i32(7) % q21;
    }
    if i == 22 {
        literals[22] = i32(-7) / i32(2147483647);
        params[22] = p22 / q22;
        mixed[22] = i32(-7) / q22;
        literals[56] = i32(-7) % i32(2147483647);
        params[56] = p22 % q22;
        mixed[56] = a[i] % i32(2147483647);
    }
    if i == 23 {
        literals[23] = i32(2147483647) / i32(1);
        params[23] = p23 / q23;
        mixed[23] = a[i] / i32(1);
        literals[57] = i32(2147483647) % i32(1);
        params[57] = p23 % q23;
        mixed[57] = i32(2147483647) % q23;
    }
    if i == 24 {
        literals[24] = (i32(-2147483647) - 1) / (i32(-2147483647) - 1);
        params[24] = p24 / q24;
        mixed[24] = (i32(-2147483647) - 1) / q24;
        literals[58] = (i32(-2147483647) - 1) % (i32(-2147483647) - 1);
        params[58] = p24 % q24;
        mixed[58] = a[i] % (i32(-2147483647) - 1);
    }
    if i == 25 {
        literals[25] = i32(-2147483647) / i32(-1);
        params[25] = p25 / q25;
        mixed[25] = a[i] / i32(-1);
        literals[59] = i32(-2147483647) % i32(-1);
        params[59] = p25 % q25;
        mixed[59] = i32(-2147483647) % q25;
    }
    if i == 26 {
        literals[26] = i32(-696739139) / i32(-2147483647);
        params[26] = p26 / q26;
        mixed[26] = i32(-696739139) / q26;
        literals[60] = i32(-696739139) % i32(-2147483647);
        params[60] = p26 % q26;
        mixed[60] = a[i] % i32(-2147483647);
    }
    if i == 27 {
        literals[27] = i32(1) / i32(0);
        params[27] = p27 / q27;
        mixed[27] = a[i] / i32(0);
        literals[61] = i32(1) % i32(0);
        params[61] = p27 % q27;
        mixed[61] = i32(1) % q27;
    }
    if i == 28 {
        literals[28] = i32(-1) / i32(0);
        params[28] = p28 / q28;
        mixed[28] = i32(-1) / q28;
        literals[62] = i32(-1) % i32(0);
        params[62] = p28 % q28;
        mixed[62] = a[i] % i32(0);
    }
    if i == 29 {
        literals[29] = i32(-7) / i32(0);
        params[29] = p29 / q29;
        mixed[29] = a[i] / i32(0);
        literals[63] = i32(-7) % i32(0);
        params[63] = p29 % q29;
        mixed[63] = i32(-7) % q29;
    }
    if i == 30 {
        literals[30] = i32(2147483647) / i32(0);
        params[30] = p30 / q30;
        mixed[30] = i32(2147483647) / q30;
        literals[64] = i32(2147483647) % i32(0);
        params[64] = p30 % q30;
        mixed[64] = a[i] % i32(0);
    }
    if i == 31 {
        literals[31] = (i32(-2147483647) - 1) / i32(0);
        params[31] = p31 / q31;
        mixed[31] = a[i] / i32(0);
        literals[65] = (i32(-2147483647) - 1) % i32(0);
        params[65] = p31 % q31;
        mixed[65] = (i32(-2147483647) - 1) % q31;
    }
    if i == 32 {
        literals[32] = i32(-696739139) / i32(0);
        params[32] = p32 / q32;
        mixed[32] = i32(-696739139) / q32;
        literals[66] = i32(-696739139) % i32(0);
        params[66] = p32 % q32;
        mixed[66] = a[i] % i32(0);
    }
    if i == 33 {
        literals[33] = (i32(-2147483647) - 1) / i32(-1);
        params[33] = p33 / q33;
        mixed[33] = a[i] / i32(-1);
        literals[67] = (i32(-2147483647) - 1) % i32(-1);
        params[67] = p33 % q33;
        mixed[67] = (i32(-2147483647) - 1) % q33;
    }
}
