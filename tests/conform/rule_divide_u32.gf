// x / 0 is x, x % 0 is 0, the least value / -1 is itself, its remainder 0; else toward zero.
// Rows: A / B, A % B.
// The same operands loaded, as literals, as params, and mixed.
//! args --in a=0,1,7,2147483647,2147483648,2147483649,4294967295,4294967289,734916625,0,1,7,2147483647,2147483648,2147483649,4294967295,4294967289,734916625,0,1,7,2147483647,2147483648,2147483649,4294967295,4294967289,734916625,1,7,2147483648,2147483649,4294967295,734916625 --in b=0,2147483649,1,4294967295,7,4294967289,2147483647,734916625,2147483648,1,4294967295,7,4294967289,2147483647,734916625,2147483648,0,2147483649,2147483647,734916625,2147483648,0,2147483649,1,4294967295,7,4294967289,0,0,0,0,0,0 --set p0=0 --set q0=0 --set p1=1 --set q1=2147483649 --set p2=7 --set q2=1 --set p3=2147483647 --set q3=4294967295 --set p4=2147483648 --set q4=7 --set p5=2147483649 --set q5=4294967289 --set p6=4294967295 --set q6=2147483647 --set p7=4294967289 --set q7=734916625 --set p8=734916625 --set q8=2147483648 --set p9=0 --set q9=1 --set p10=1 --set q10=4294967295 --set p11=7 --set q11=7 --set p12=2147483647 --set q12=4294967289 --set p13=2147483648 --set q13=2147483647 --set p14=2147483649 --set q14=734916625 --set p15=4294967295 --set q15=2147483648 --set p16=4294967289 --set q16=0 --set p17=734916625 --set q17=2147483649 --set p18=0 --set q18=2147483647 --set p19=1 --set q19=734916625 --set p20=7 --set q20=2147483648 --set p21=2147483647 --set q21=0 --set p22=2147483648 --set q22=2147483649 --set p23=2147483649 --set q23=1 --set p24=4294967295 --set q24=4294967295 --set p25=4294967289 --set q25=7 --set p26=734916625 --set q26=4294967289 --set p27=1 --set q27=0 --set p28=7 --set q28=0 --set p29=2147483648 --set q29=0 --set p30=2147483649 --set q30=0 --set p31=4294967295 --set q31=0 --set p32=734916625 --set q32=0
//! out loaded: 0 0 7 0 306783378 0 2 5 0 0 0 1 0 1 2 1 4294967289 0 0 0 0 2147483647 0 2147483649 1 613566755 0 1 7 2147483648 2147483649 4294967295 734916625 0 1 0 2147483647 2 2147483649 1 620384164 734916625 0 1 0 2147483647 1 677650399 2147483647 0 734916625 0 1 7 0 2147483648 0 0 4 734916625 0 0 0 0 0 0
//! out literals: 0 0 7 0 306783378 0 2 5 0 0 0 1 0 1 2 1 4294967289 0 0 0 0 2147483647 0 2147483649 1 613566755 0 1 7 2147483648 2147483649 4294967295 734916625 0 1 0 2147483647 2 2147483649 1 620384164 734916625 0 1 0 2147483647 1 677650399 2147483647 0 734916625 0 1 7 0 2147483648 0 0 4 734916625 0 0 0 0 0 0
//! out params: 0 0 7 0 306783378 0 2 5 0 0 0 1 0 1 2 1 4294967289 0 0 0 0 2147483647 0 2147483649 1 613566755 0 1 7 2147483648 2147483649 4294967295 734916625 0 1 0 2147483647 2 2147483649 1 620384164 734916625 0 1 0 2147483647 1 677650399 2147483647 0 734916625 0 1 7 0 2147483648 0 0 4 734916625 0 0 0 0 0 0
//! out mixed: 0 0 7 0 306783378 0 2 5 0 0 0 1 0 1 2 1 4294967289 0 0 0 0 2147483647 0 2147483649 1 613566755 0 1 7 2147483648 2147483649 4294967295 734916625 0 1 0 2147483647 2 2147483649 1 620384164 734916625 0 1 0 2147483647 1 677650399 2147483647 0 734916625 0 1 7 0 2147483648 0 0 4 734916625 0 0 0 0 0 0
//! order-free yes
//! races no
program rule_divide_u32;

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
out u32 loaded[66];
out u32 literals[66];
out u32 params[66];
out u32 mixed[66];

kernel (33) workgroup(4) {
    let i = gid.x;
    loaded[0 + i] = a[i] / b[i];
    loaded[33 + i] = a[i] % b[i];
    if i == 0 {
        literals[0] = u32(0) / u32(0);
        params[0] = p0 / q0;
        mixed[0] = u32(0) / q0;
        literals[33] = u32(0) % u32(0);
        params[33] = p0 % q0;
        mixed[33] = a[i] % u32(0);
    }
    if i == 1 {
        literals[1] = u32(1) / u32(2147483649);
        params[1] = p1 / q1;
        mixed[1] = a[i] / u32(2147483649);
        literals[34] = u32(1) % u32(2147483649);
        params[34] = p1 % q1;
        mixed[34] = u32(1) % q1;
    }
    if i == 2 {
        literals[2] = u32(7) / u32(1);
        params[2] = p2 / q2;
        mixed[2] = u32(7) / q2;
        literals[35] = u32(7) % u32(1);
        params[35] = p2 % q2;
        mixed[35] = a[i] % u32(1);
    }
    if i == 3 {
        literals[3] = u32(2147483647) / u32(4294967295);
        params[3] = p3 / q3;
        mixed[3] = a[i] / u32(4294967295);
        literals[36] = u32(2147483647) % u32(4294967295);
        params[36] = p3 % q3;
        mixed[36] = u32(2147483647) % q3;
    }
    if i == 4 {
        literals[4] = u32(2147483648) / u32(7);
        params[4] = p4 / q4;
        mixed[4] = u32(2147483648) / q4;
        literals[37] = u32(2147483648) % u32(7);
        params[37] = p4 % q4;
        mixed[37] = a[i] % u32(7);
    }
    if i == 5 {
        literals[5] = u32(2147483649) / u32(4294967289);
        params[5] = p5 / q5;
        mixed[5] = a[i] / u32(4294967289);
        literals[38] = u32(2147483649) % u32(4294967289);
        params[38] = p5 % q5;
        mixed[38] = u32(2147483649) % q5;
    }
    if i == 6 {
        literals[6] = u32(4294967295) / u32(2147483647);
        params[6] = p6 / q6;
        mixed[6] = u32(4294967295) / q6;
        literals[39] = u32(4294967295) % u32(2147483647);
        params[39] = p6 % q6;
        mixed[39] = a[i] % u32(2147483647);
    }
    if i == 7 {
        literals[7] = u32(4294967289) / u32(734916625);
        params[7] = p7 / q7;
        mixed[7] = a[i] / u32(734916625);
        literals[40] = u32(4294967289) % u32(734916625);
        params[40] = p7 % q7;
        mixed[40] = u32(4294967289) % q7;
    }
    if i == 8 {
        literals[8] = u32(734916625) / u32(2147483648);
        params[8] = p8 / q8;
        mixed[8] = u32(734916625) / q8;
        literals[41] = u32(734916625) % u32(2147483648);
        params[41] = p8 % q8;
        mixed[41] = a[i] % u32(2147483648);
    }
    if i == 9 {
        literals[9] = u32(0) / u32(1);
        params[9] = p9 / q9;
        mixed[9] = a[i] / u32(1);
        literals[42] = u32(0) % u32(1);
        params[42] = p9 % q9;
        mixed[42] = u32(0) % q9;
    }
    if i == 10 {
        literals[10] = u32(1) / u32(4294967295);
        params[10] = p10 / q10;
        mixed[10] = u32(1) / q10;
        literals[43] = u32(1) % u32(4294967295);
        params[43] = p10 % q10;
        mixed[43] = a[i] % u32(4294967295);
    }
    if i == 11 {
        literals[11] = u32(7) / u32(7);
        params[11] = p11 / q11;
        mixed[11] = a[i] / u32(7);
        literals[44] = u32(7) % u32(7);
        params[44] = p11 % q11;
        mixed[44] = u32(7) % q11;
    }
    if i == 12 {
        literals[12] = u32(2147483647) / u32(4294967289);
        params[12] = p12 / q12;
        mixed[12] = u32(2147483647) / q12;
        literals[45] = u32(2147483647) % u32(4294967289);
        params[45] = p12 % q12;
        mixed[45] = a[i] % u32(4294967289);
    }
    if i == 13 {
        literals[13] = u32(2147483648) / u32(2147483647);
        params[13] = p13 / q13;
        mixed[13] = a[i] / u32(2147483647);
        literals[46] = u32(2147483648) % u32(2147483647);
        params[46] = p13 % q13;
        mixed[46] = u32(2147483648) % q13;
    }
    if i == 14 {
        literals[14] = u32(2147483649) / u32(734916625);
        params[14] = p14 / q14;
        mixed[14] = u32(2147483649) / q14;
        literals[47] = u32(2147483649) % u32(734916625);
        params[47] = p14 % q14;
        mixed[47] = a[i] % u32(734916625);
    }
    if i == 15 {
        literals[15] = u32(4294967295) / u32(2147483648);
        params[15] = p15 / q15;
        mixed[15] = a[i] / u32(2147483648);
        literals[48] = u32(4294967295) % u32(2147483648);
        params[48] = p15 % q15;
        mixed[48] = u32(4294967295) % q15;
    }
    if i == 16 {
        literals[16] = u32(4294967289) / u32(0);
        params[16] = p16 / q16;
        mixed[16] = u32(4294967289) / q16;
        literals[49] = u32(4294967289) % u32(0);
        params[49] = p16 % q16;
        mixed[49] = a[i] % u32(0);
    }
    if i == 17 {
        literals[17] = u32(734916625) / u32(2147483649);
        params[17] = p17 / q17;
        mixed[17] = a[i] / u32(2147483649);
        literals[50] = u32(734916625) % u32(2147483649);
        params[50] = p17 % q17;
        mixed[50] = u32(734916625) % q17;
    }
    if i == 18 {
        literals[18] = u32(0) / u32(2147483647);
        params[18] = p18 / q18;
        mixed[18] = u32(0) / q18;
        literals[51] = u32(0) % u32(2147483647);
        params[51] = p18 % q18;
        mixed[51] = a[i] % u32(2147483647);
    }
    if i == 19 {
        literals[19] = u32(1) / u32(734916625);
        params[19] = p19 / q19;
        mixed[19] = a[i] / u32(734916625);
        literals[52] = u32(1) % u32(734916625);
        params[52] = p19 % q19;
        mixed[52] = u32(1) % q19;
    }
    if i == 20 {
        literals[20] = u32(7) / u32(2147483648);
        params[20] = p20 / q20;
        mixed[20] = u32(7) / q20;
        literals[53] = u32(7) % u32(2147483648);
        params[53] = p20 % q20;
        mixed[53] = a[i] % u32(2147483648);
    }
    if i == 21 {
        literals[21] = u32(2147483647) / u32(0);
        params[21] = p21 / q21;
        mixed[21] = a[i] / u32(0);
        literals[54] = u32(2147483647) % u32(0);
        params[54] = p21 % q21;
        mixed[54] = u32(2147483647) % q21;
    }
    if i == 22 {
        literals[22] = u32(2147483648) / u32(2147483649);
        params[22] = p22 / q22;
        mixed[22] = u32(2147483648) / q22;
        literals[55] = u32(2147483648) % u32(2147483649);
        params[55] = p22 % q22;
        mixed[55] = a[i] % u32(2147483649);
    }
    if i == 23 {
        literals[23] = u32(2147483649) / u32(1);
        params[23] = p23 / q23;
        mixed[23] = a[i] / u32(1);
        literals[56] = u32(2147483649) % u32(1);
        params[56] = p23 % q23;
        mixed[56] = u32(2147483649) % q23;
    }
    if i == 24 {
        literals[24] = u32(4294967295) / u32(4294967295);
        params[24] = p24 / q24;
        mixed[24] = u32(4294967295) / q24;
        literals[57] = u32(4294967295) % u32(4294967295);
        params[57] = p24 % q24;
        mixed[57] = a[i] % u32(4294967295);
    }
    if i == 25 {
        literals[25] = u32(4294967289) / u32(7);
        params[25] = p25 / q25;
        mixed[25] = a[i] / u32(7);
        literals[58] = u32(4294967289) % u32(7);
        params[58] = p25 % q25;
        mixed[58] = u32(4294967289) % q25;
    }
    if i == 26 {
        literals[26] = u32(734916625) / u32(4294967289);
        params[26] = p26 / q26;
        mixed[26] = u32(734916625) / q26;
        literals[59] = u32(734916625) % u32(4294967289);
        params[59] = p26 % q26;
        mixed[59] = a[i] % u32(4294967289);
    }
    if i == 27 {
        literals[27] = u32(1) / u32(0);
        params[27] = p27 / q27;
        mixed[27] = a[i] / u32(0);
        literals[60] = u32(1) % u32(0);
        params[60] = p27 % q27;
        mixed[60] = u32(1) % q27;
    }
    if i == 28 {
        literals[28] = u32(7) / u32(0);
        params[28] = p28 / q28;
        mixed[28] = u32(7) / q28;
        literals[61] = u32(7) % u32(0);
        params[61] = p28 % q28;
        mixed[61] = a[i] % u32(0);
    }
    if i == 29 {
        literals[29] = u32(2147483648) / u32(0);
        params[29] = p29 / q29;
        mixed[29] = a[i] / u32(0);
        literals[62] = u32(2147483648) % u32(0);
        params[62] = p29 % q29;
        mixed[62] = u32(2147483648) % q29;
    }
    if i == 30 {
        literals[30] = u32(2147483649) / u32(0);
        params[30] = p30 / q30;
        mixed[30] = u32(2147483649) / q30;
        literals[63] = u32(2147483649) % u32(0);
        params[63] = p30 % q30;
        mixed[63] = a[i] % u32(0);
    }
    if i == 31 {
        literals[31] = u32(4294967295) / u32(0);
        params[31] = p31 / q31;
        mixed[31] = a[i] / u32(0);
        literals[64] = u32(4294967295) % u32(0);
        params[64] = p31 % q31;
        mixed[64] = u32(4294967295) % q31;
    }
    if i == 32 {
        literals[32] = u32(734916625) / u32(0);
        params[32] = p32 / q32;
        mixed[32] = u32(734916625) / q32;
        literals[65] = u32(734916625) % u32(0);
        params[65] = p32 % q32;
        mixed[65] = a[i] % u32(0);
    }
}
