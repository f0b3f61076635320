// A shift is by its count modulo the width; >> is arithmetic on signed.
// Rows: A << B, A >> B, rotate_left(A, B), rotate_right(A, B).
// The same operands loaded, as literals, as params, and mixed.
//! args --in a=2147483647,4294967295,734916625,2147483649,734916625,1,4294967289,1,2147483647,0,2147483647,2147483649,7,2147483649,4294967289,2147483648,4294967289,0,4294967295,0,7,734916625,7,2147483648 --in b=0,0,0,1,1,1,31,31,31,32,32,32,33,33,33,67,67,67,4294967295,4294967295,4294967295,2147483653,2147483653,2147483653 --set p0=2147483647 --set q0=0 --set p1=4294967295 --set q1=0 --set p2=734916625 --set q2=0 --set p3=2147483649 --set q3=1 --set p4=734916625 --set q4=1 --set p5=1 --set q5=1 --set p6=4294967289 --set q6=31 --set p7=1 --set q7=31 --set p8=2147483647 --set q8=31 --set p9=0 --set q9=32 --set p10=2147483647 --set q10=32 --set p11=2147483649 --set q11=32 --set p12=7 --set q12=33 --set p13=2147483649 --set q13=33 --set p14=4294967289 --set q14=33 --set p15=2147483648 --set q15=67 --set p16=4294967289 --set q16=67 --set p17=0 --set q17=67 --set p18=4294967295 --set q18=4294967295 --set p19=0 --set q19=4294967295 --set p20=7 --set q20=4294967295 --set p21=734916625 --set q21=2147483653 --set p22=7 --set q22=2147483653 --set p23=2147483648 --set q23=2147483653
//! out loaded: 2147483647 4294967295 734916625 2 1469833250 2 2147483648 2147483648 2147483648 0 2147483647 2147483649 14 2 4294967282 0 4294967240 0 2147483648 0 2147483648 2042495520 224 0 2147483647 4294967295 734916625 1073741824 367458312 0 1 0 0 0 2147483647 2147483649 3 1073741824 2147483644 268435456 536870911 0 1 0 0 22966144 0 67108864 2147483647 4294967295 734916625 3 1469833250 2 4294967292 2147483648 3221225471 0 2147483647 2147483649 14 3 4294967283 4 4294967247 0 4294967295 0 2147483651 2042495525 224 16 2147483647 4294967295 734916625 3221225472 2514941960 2147483648 4294967283 2 4294967294 0 2147483647 2147483649 2147483651 3221225472 4294967292 268435456 1073741823 0 4294967295 0 14 2304667520 939524096 67108864
//! out literals: 2147483647 4294967295 734916625 2 1469833250 2 2147483648 2147483648 2147483648 0 2147483647 2147483649 14 2 4294967282 0 4294967240 0 2147483648 0 2147483648 2042495520 224 0 2147483647 4294967295 734916625 1073741824 367458312 0 1 0 0 0 2147483647 2147483649 3 1073741824 2147483644 268435456 536870911 0 1 0 0 22966144 0 67108864 2147483647 4294967295 734916625 3 1469833250 2 4294967292 2147483648 3221225471 0 2147483647 2147483649 14 3 4294967283 4 4294967247 0 4294967295 0 2147483651 2042495525 224 16 2147483647 4294967295 734916625 3221225472 2514941960 2147483648 4294967283 2 4294967294 0 2147483647 2147483649 2147483651 3221225472 4294967292 268435456 1073741823 0 4294967295 0 14 2304667520 939524096 67108864
//! out params: 2147483647 4294967295 734916625 2 1469833250 2 2147483648 2147483648 2147483648 0 2147483647 2147483649 14 2 4294967282 0 4294967240 0 2147483648 0 2147483648 2042495520 224 0 2147483647 4294967295 734916625 1073741824 367458312 0 1 0 0 0 2147483647 2147483649 3 1073741824 2147483644 268435456 536870911 0 1 0 0 22966144 0 67108864 2147483647 4294967295 734916625 3 1469833250 2 4294967292 2147483648 3221225471 0 2147483647 2147483649 14 3 4294967283 4 4294967247 0 4294967295 0 2147483651 2042495525 224 16 2147483647 4294967295 734916625 3221225472 2514941960 2147483648 4294967283 2 4294967294 0 2147483647 2147483649 2147483651 3221225472 4294967292 268435456 1073741823 0 4294967295 0 14 2304667520 939524096 67108864
//! out mixed: 2147483647 4294967295 734916625 2 1469833250 2 2147483648 2147483648 2147483648 0 2147483647 2147483649 14 2 4294967282 0 4294967240 0 2147483648 0 2147483648 2042495520 224 0 2147483647 4294967295 734916625 1073741824 367458312 0 1 0 0 0 2147483647 2147483649 3 1073741824 2147483644 268435456 536870911 0 1 0 0 22966144 0 67108864 2147483647 4294967295 734916625 3 1469833250 2 4294967292 2147483648 3221225471 0 2147483647 2147483649 14 3 4294967283 4 4294967247 0 4294967295 0 2147483651 2042495525 224 16 2147483647 4294967295 734916625 3221225472 2514941960 2147483648 4294967283 2 4294967294 0 2147483647 2147483649 2147483651 3221225472 4294967292 268435456 1073741823 0 4294967295 0 14 2304667520 939524096 67108864
//! order-free yes
program rule_shift_u32;

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
in  u32 a[24];
in  u32 b[24];
out u32 loaded[96];
out u32 literals[96];
out u32 params[96];
out u32 mixed[96];

kernel (24) workgroup(4) {
    let i = gid.x;
    loaded[0 + i] = a[i] << b[i];
    loaded[24 + i] = a[i] >> b[i];
    loaded[48 + i] = rotate_left(a[i], b[i]);
    loaded[72 + i] = rotate_right(a[i], b[i]);
    if i == 0 {
        literals[0] = u32(2147483647) << u32(0);
        params[0] = p0 << q0;
        mixed[0] = u32(2147483647) << q0;
        literals[24] = u32(2147483647) >> u32(0);
        params[24] = p0 >> q0;
        mixed[24] = a[i] >> u32(0);
        literals[48] = rotate_left(u32(2147483647), u32(0));
        params[48] = rotate_left(p0, q0);
        mixed[48] = rotate_left(u32(2147483647), q0);
        literals[72] = rotate_right(u32(2147483647), u32(0));
        params[72] = rotate_right(p0, q0);
        mixed[72] = rotate_right(a[i], u32(0));
    }
    if i == 1 {
        literals[1] = u32(4294967295) << u32(0);
        params[1] = p1 << q1;
        mixed[1] = a[i] << u32(0);
        literals[25] = u32(4294967295) >> u32(0);
        params[25] = p1 >> q1;
        mixed[25] = u32(4294967295) >> q1;
        literals[49] = rotate_left(u32(4294967295), u32(0));
        params[49] = rotate_left(p1, q1);
        mixed[49] = rotate_left(a[i], u32(0));
        literals[73] = rotate_right(u32(4294967295), u32(0));
        params[73] = rotate_right(p1, q1);
        mixed[73] = rotate_right(u32(4294967295), q1);
    }
    if i == 2 {
        literals[2] = u32(734916625) << u32(0);
        params[2] = p2 << q2;
        mixed[2] = u32(734916625) << q2;
        literals[26] = u32(734916625) >> u32(0);
        params[26] = p2 >> q2;
        mixed[26] = a[i] >> u32(0);
        literals[50] = rotate_left(u32(734916625), u32(0));
        params[50] = rotate_left(p2, q2);
        mixed[50] = rotate_left(u32(734916625), q2);
        literals[74] = rotate_right(u32(734916625), u32(0));
        params[74] = rotate_right(p2, q2);
        mixed[74] = rotate_right(a[i], u32(0));
    }
    if i == 3 {
        literals[3] = u32(2147483649) << u32(1);
        params[3] = p3 << q3;
        mixed[3] = a[i] << u32(1);
        literals[27] = u32(2147483649) >> u32(1);
        params[27] = p3 >> q3;
        mixed[27] = u32(2147483649) >> q3;
        literals[51] = rotate_left(u32(2147483649), u32(1));
        params[51] = rotate_left(p3, q3);
        mixed[51] = rotate_left(a[i], u32(1));
        literals[75] = rotate_right(u32(2147483649), u32(1));
        params[75] = rotate_right(p3, q3);
        mixed[75] = rotate_right(u32(2147483649), q3);
    }
    if i == 4 {
        literals[4] = u32(734916625) << u32(1);
        params[4] = p4 << q4;
        mixed[4] = u32(734916625) << q4;
        literals[28] = u32(734916625) >> u32(1);
        params[28] = p4 >> q4;
        mixed[28] = a[i] >> u32(1);
        literals[52] = rotate_left(u32(734916625), u32(1));
        params[52] = rotate_left(p4, q4);
        mixed[52] = rotate_left(u32(734916625), q4);
        literals[76] = rotate_right(u32(734916625), u32(1));
        params[76] = rotate_right(p4, q4);
        mixed[76] = rotate_right(a[i], u32(1));
    }
    if i == 5 {
        literals[5] = u32(1) << u32(1);
        params[5] = p5 << q5;
        mixed[5] = a[i] << u32(1);
        literals[29] = u32(1) >> u32(1);
        params[29] = p5 >> q5;
        mixed[29] = u32(1) >> q5;
        literals[53] = rotate_left(u32(1), u32(1));
        params[53] = rotate_left(p5, q5);
        mixed[53] = rotate_left(a[i], u32(1));
        literals[77] = rotate_right(u32(1), u32(1));
        params[77] = rotate_right(p5, q5);
        mixed[77] = rotate_right(u32(1), q5);
    }
    if i == 6 {
        literals[6] = u32(4294967289) << u32(31);
        params[6] = p6 << q6;
        mixed[6] = u32(4294967289) << q6;
        literals[30] = u32(4294967289) >> u32(31);
        params[30] = p6 >> q6;
        mixed[30] = a[i] >> u32(31);
        literals[54] = rotate_left(u32(4294967289), u32(31));
        params[54] = rotate_left(p6, q6);
        mixed[54] = rotate_left(u32(4294967289), q6);
        literals[78] = rotate_right(u32(4294967289), u32(31));
        params[78] = rotate_right(p6, q6);
        mixed[78] = rotate_right(a[i], u32(31));
    }
    if i == 7 {
        literals[7] = u32(1) << u32(31);
        params[7] = p7 << q7;
        mixed[7] = a[i] << u32(31);
        literals[31] = u32(1) >> u32(31);
        params[31] = p7 >> q7;
        mixed[31] = u32(1) >> q7;
        literals[55] = rotate_left(u32(1), u32(31));
        params[55] = rotate_left(p7, q7);
        mixed[55] = rotate_left(a[i], u32(31));
        literals[79] = rotate_right(u32(1), u32(31));
        params[79] = rotate_right(p7, q7);
        mixed[79] = rotate_right(u32(1), q7);
    }
    if i == 8 {
        literals[8] = u32(2147483647) << u32(31);
        params[8] = p8 << q8;
        mixed[8] = u32(2147483647) << q8;
        literals[32] = u32(2147483647) >> u32(31);
        params[32] = p8 >> q8;
        mixed[32] = a[i] >> u32(31);
        literals[56] = rotate_left(u32(2147483647), u32(31));
        params[56] = rotate_left(p8, q8);
        mixed[56] = rotate_left(u32(2147483647), q8);
        literals[80] = rotate_right(u32(2147483647), u32(31));
        params[80] = rotate_right(p8, q8);
        mixed[80] = rotate_right(a[i], u32(31));
    }
    if i == 9 {
        literals[9] = u32(0) << u32(32);
        params[9] = p9 << q9;
        mixed[9] = a[i] << u32(32);
        literals[33] = u32(0) >> u32(32);
        params[33] = p9 >> q9;
        mixed[33] = u32(0) >> q9;
        literals[57] = rotate_left(u32(0), u32(32));
        params[57] = rotate_left(p9, q9);
        mixed[57] = rotate_left(a[i], u32(32));
        literals[81] = rotate_right(u32(0), u32(32));
        params[81] = rotate_right(p9, q9);
        mixed[81] = rotate_right(u32(0), q9);
    }
    if i == 10 {
        literals[10] = u32(2147483647) << u32(32);
        params[10] = p10 << q10;
        mixed[10] = u32(2147483647) << q10;
        literals[34] = u32(2147483647) >> u32(32);
        params[34] = p10 >> q10;
        mixed[34] = a[i] >> u32(32);
        literals[58] = rotate_left(u32(2147483647), u32(32));
        params[58] = rotate_left(p10, q10);
        mixed[58] = rotate_left(u32(2147483647), q10);
        literals[82] = rotate_right(u32(2147483647), u32(32));
        params[82] = rotate_right(p10, q10);
        mixed[82] = rotate_right(a[i], u32(32));
    }
    if i == 11 {
        literals[11] = u32(2147483649) << u32(32);
        params[11] = p11 << q11;
        mixed[11] = a[i] << u32(32);
        literals[35] = u32(2147483649) >> u32(32);
        params[35] = p11 >> q11;
        mixed[35] = u32(2147483649) >> q11;
        literals[59] = rotate_left(u32(2147483649), u32(32));
        params[59] = rotate_left(p11, q11);
        mixed[59] = rotate_left(a[i], u32(32));
        literals[83] = rotate_right(u32(2147483649), u32(32));
        params[83] = rotate_right(p11, q11);
        mixed[83] = rotate_right(u32(2147483649), q11);
    }
    if i == 12 {
        literals[12] = u32(7) << u32(33);
        params[12] = p12 << q12;
        mixed[12] = u32(7) << q12;
        literals[36] = u32(7) >> u32(33);
        params[36] = p12 >> q12;
        mixed[36] = a[i] >> u32(33);
        literals[60] = rotate_left(u32(7), u32(33));
        params[60] = rotate_left(p12, q12);
        mixed[60] = rotate_left(u32(7), q12);
        literals[84] = rotate_right(u32(7), u32(33));
        params[84] = rotate_right(p12, q12);
        mixed[84] = rotate_right(a[i], u32(33));
    }
    if i == 13 {
        literals[13] = u32(2147483649) << u32(33);
        params[13] = p13 << q13;
        mixed[13] = a[i] << u32(33);
        literals[37] = u32(2147483649) >> u32(33);
        params[37] = p13 >> q13;
        mixed[37] = u32(2147483649) >> q13;
        literals[61] = rotate_left(u32(2147483649), u32(33));
        params[61] = rotate_left(p13, q13);
        mixed[61] = rotate_left(a[i], u32(33));
        literals[85] = rotate_right(u32(2147483649), u32(33));
        params[85] = rotate_right(p13, q13);
        mixed[85] = rotate_right(u32(2147483649), q13);
    }
    if i == 14 {
        literals[14] = u32(4294967289) << u32(33);
        params[14] = p14 << q14;
        mixed[14] = u32(4294967289) << q14;
        literals[38] = u32(4294967289) >> u32(33);
        params[38] = p14 >> q14;
        mixed[38] = a[i] >> u32(33);
        literals[62] = rotate_left(u32(4294967289), u32(33));
        params[62] = rotate_left(p14, q14);
        mixed[62] = rotate_left(u32(4294967289), q14);
        literals[86] = rotate_right(u32(4294967289), u32(33));
        params[86] = rotate_right(p14, q14);
        mixed[86] = rotate_right(a[i], u32(33));
    }
    if i == 15 {
        literals[15] = u32(2147483648) << u32(67);
        params[15] = p15 << q15;
        mixed[15] = a[i] << u32(67);
        literals[39] = u32(2147483648) >> u32(67);
        params[39] = p15 >> q15;
        mixed[39] = u32(2147483648) >> q15;
        literals[63] = rotate_left(u32(2147483648), u32(67));
        params[63] = rotate_left(p15, q15);
        mixed[63] = rotate_left(a[i], u32(67));
        literals[87] = rotate_right(u32(2147483648), u32(67));
        params[87] = rotate_right(p15, q15);
        mixed[87] = rotate_right(u32(2147483648), q15);
    }
    if i == 16 {
        literals[16] = u32(4294967289) << u32(67);
        params[16] = p16 << q16;
        mixed[16] = u32(4294967289) << q16;
        literals[40] = u32(4294967289) >> u32(67);
        params[40] = p16 >> q16;
        mixed[40] = a[i] >> u32(67);
        literals[64] = rotate_left(u32(4294967289), u32(67));
        params[64] = rotate_left(p16, q16);
        mixed[64] = rotate_left(u32(4294967289), q16);
        literals[88] = rotate_right(u32(4294967289), u32(67));
        params[88] = rotate_right(p16, q16);
        mixed[88] = rotate_right(a[i], u32(67));
    }
    if i == 17 {
        literals[17] = u32(0) << u32(67);
        params[17] = p17 << q17;
        mixed[17] = a[i] << u32(67);
        literals[41] = u32(0) >> u32(67);
        params[41] = p17 >> q17;
        mixed[41] = u32(0) >> q17;
        literals[65] = rotate_left(u32(0), u32(67));
        params[65] = rotate_left(p17, q17);
        mixed[65] = rotate_left(a[i], u32(67));
        literals[89] = rotate_right(u32(0), u32(67));
        params[89] = rotate_right(p17, q17);
        mixed[89] = rotate_right(u32(0), q17);
    }
    if i == 18 {
        literals[18] = u32(4294967295) << u32(4294967295);
        params[18] = p18 << q18;
        mixed[18] = u32(4294967295) << q18;
        literals[42] = u32(4294967295) >> u32(4294967295);
        params[42] = p18 >> q18;
        mixed[42] = a[i] >> u32(4294967295);
        literals[66] = rotate_left(u32(4294967295), u32(4294967295));
        params[66] = rotate_left(p18, q18);
        mixed[66] = rotate_left(u32(4294967295), q18);
        literals[90] = rotate_right(u32(4294967295), u32(4294967295));
        params[90] = rotate_right(p18, q18);
        mixed[90] = rotate_right(a[i], u32(4294967295));
    }
    if i == 19 {
        literals[19] = u32(0) << u32(4294967295);
        params[19] = p19 << q19;
        mixed[19] = a[i] << u32(4294967295);
        literals[43] = u32(0) >> u32(4294967295);
        params[43] = p19 >> q19;
        mixed[43] = u32(0) >> q19;
        literals[67] = rotate_left(u32(0), u32(4294967295));
        params[67] = rotate_left(p19, q19);
        mixed[67] = rotate_left(a[i], u32(4294967295));
        literals[91] = rotate_right(u32(0), u32(4294967295));
        params[91] = rotate_right(p19, q19);
        mixed[91] = rotate_right(u32(0), q19);
    }
    if i == 20 {
        literals[20] = u32(7) << u32(4294967295);
        params[20] = p20 << q20;
        mixed[20] = u32(7) << q20;
        literals[44] = u32(7) >> u32(4294967295);
        params[44] = p20 >> q20;
        mixed[44] = a[i] >> u32(4294967295);
        literals[68] = rotate_left(u32(7), u32(4294967295));
        params[68] = rotate_left(p20, q20);
        mixed[68] = rotate_left(u32(7), q20);
        literals[92] = rotate_right(u32(7), u32(4294967295));
        params[92] = rotate_right(p20, q20);
        mixed[92] = rotate_right(a[i], u32(4294967295));
    }
    if i == 21 {
        literals[21] = u32(734916625) << u32(2147483653);
        params[21] = p21 << q21;
        mixed[21] = a[i] << u32(2147483653);
        literals[45] = u32(734916625) >> u32(2147483653);
        params[45] = p21 >> q21;
        mixed[45] = u32(734916625) >> q21;
        literals[69] = rotate_left(u32(734916625), u32(2147483653));
        params[69] = rotate_left(p21, q21);
        mixed[69] = rotate_left(a[i], u32(2147483653));
        literals[93] = rotate_right(u32(734916625), u32(2147483653));
        params[93] = rotate_right(p21, q21);
        mixed[93] = rotate_right(u32(734916625), q21);
    }
    if i == 22 {
        literals[22] = u32(7) << u32(2147483653);
        params[22] = p22 << q22;
        mixed[22] = u32(7) << q22;
        literals[46] = u32(7) >> u32(2147483653);
        params[46] = p22 >> q22;
        mixed[46] = a[i] >> u32(2147483653);
        literals[70] = rotate_left(u32(7), u32(2147483653));
        params[70] = rotate_left(p22, q22);
        mixed[70] = rotate_left(u32(7), q22);
        literals[94] = rotate_right(u32(7), u32(2147483653));
        params[94] = rotate_right(p22, q22);
        mixed[94] = rotate_right(a[i], u32(2147483653));
    }
    if i == 23 {
        literals[23] = u32(2147483648) << u32(2147483653);
        params[23] = p23 << q23;
        mixed[23] = a[i] << u32(2147483653);
        literals[47] = u32(2147483648) >> u32(2147483653);
        params[47] = p23 >> q23;
        mixed[47] = u32(2147483648) >> q23;
        literals[71] = rotate_left(u32(2147483648), u32(2147483653));
        params[71] = rotate_left(p23, q23);
        mixed[71] = rotate_left(a[i], u32(2147483653));
        literals[95] = rotate_right(u32(2147483648), u32(2147483653));
        params[95] = rotate_right(p23, q23);
        mixed[95] = rotate_right(u32(2147483648), q23);
    }
}
