// A shift is by its count modulo the width; >> is arithmetic on signed.
// Rows: A << B, A >> B, rotate_left(A, B), rotate_right(A, B).
// The same operands loaded, as literals, as params, and mixed.
//! args --in a=7,-9223372036854775808,-3074457345599169859,9223372036854775807,-3074457345599169859,1,-9223372036854775807,1,7,0,7,9223372036854775807,-1,9223372036854775807,-9223372036854775807,-7,-9223372036854775807,0,-9223372036854775808,0,-1,-3074457345599169859,-1,-7 --in b=0,0,0,1,1,1,63,63,63,64,64,64,65,65,65,131,131,131,-1,-1,-1,-63,-63,-63 --set p0=7 --set q0=0 --set p1=-9223372036854775808 --set q1=0 --set p2=-3074457345599169859 --set q2=0 --set p3=9223372036854775807 --set q3=1 --set p4=-3074457345599169859 --set q4=1 --set p5=1 --set q5=1 --set p6=-9223372036854775807 --set q6=63 --set p7=1 --set q7=63 --set p8=7 --set q8=63 --set p9=0 --set q9=64 --set p10=7 --set q10=64 --set p11=9223372036854775807 --set q11=64 --set p12=-1 --set q12=65 --set p13=9223372036854775807 --set q13=65 --set p14=-9223372036854775807 --set q14=65 --set p15=-7 --set q15=131 --set p16=-9223372036854775807 --set q16=131 --set p17=0 --set q17=131 --set p18=-9223372036854775808 --set q18=-1 --set p19=0 --set q19=-1 --set p20=-1 --set q20=-1 --set p21=-3074457345599169859 --set q21=-63 --set p22=-1 --set q22=-63 --set p23=-7 --set q23=-63
//! out loaded: 7 -9223372036854775808 -3074457345599169859 -2 -6148914691198339718 2 -9223372036854775808 -9223372036854775808 -9223372036854775808 0 7 9223372036854775807 -2 -2 2 -56 8 0 0 0 -9223372036854775808 -6148914691198339718 -2 -14 7 -9223372036854775808 -3074457345599169859 4611686018427387903 -1537228672799584930 0 -1 0 0 0 7 9223372036854775807 -1 4611686018427387903 -4611686018427387904 -1 -1152921504606846976 0 -1 0 -1 -1537228672799584930 -1 -4 7 -9223372036854775808 -3074457345599169859 -2 -6148914691198339717 2 -4611686018427387904 -9223372036854775808 -9223372036854775805 0 7 9223372036854775807 -1 -2 3 -49 12 0 4611686018427387904 0 -1 -6148914691198339717 -1 -13 7 -9223372036854775808 -3074457345599169859 -4611686018427387905 -1537228672799584930 -9223372036854775808 3 2 14 0 7 9223372036854775807 -1 -4611686018427387905 -4611686018427387904 4611686018427387903 3458764513820540928 0 1 0 -1 -1537228672799584930 -1 -4
//! out literals: 7 -9223372036854775808 -3074457345599169859 -2 -6148914691198339718 2 -9223372036854775808 -9223372036854775808 -9223372036854775808 0 7 9223372036854775807 -2 -2 2 -56 8 0 0 0 -9223372036854775808 -6148914691198339718 -2 -14 7 -9223372036854775808 -3074457345599169859 4611686018427387903 -1537228672799584930 0 -1 0 0 0 7 9223372036854775807 -1 4611686018427387903 -4611686018427387904 -1 -1152921504606846976 0 -1 0 -1 -1537228672799584930 -1 -4 7 -9223372036854775808 -3074457345599169859 -2 -6148914691198339717 2 -4611686018427387904 -9223372036854775808 -9223372036854775805 0 7 9223372036854775807 -1 -2 3 -49 12 0 4611686018427387904 0 -1 -6148914691198339717 -1 -13 7 -9223372036854775808 -3074457345599169859 -4611686018427387905 -1537228672799584930 -9223372036854775808 3 2 14 0 7 9223372036854775807 -1 -4611686018427387905 -4611686018427387904 4611686018427387903 3458764513820540928 0 1 0 -1 -1537228672799584930 -1 -4
//! out params: 7 -9223372036854775808 -3074457345599169859 -2 -6148914691198339718 2 -9223372036854775808 -9223372036854775808 -9223372036854775808 0 7 9223372036854775807 -2 -2 2 -56 8 0 0 0 -9223372036854775808 -6148914691198339718 -2 -14 7 -9223372036854775808 -3074457345599169859 4611686018427387903 -1537228672799584930 0 -1 0 0 0 7 9223372036854775807 -1 4611686018427387903 -4611686018427387904 -1 -1152921504606846976 0 -1 0 -1 -1537228672799584930 -1 -4 7 -9223372036854775808 -3074457345599169859 -2 -6148914691198339717 2 -4611686018427387904 -9223372036854775808 -9223372036854775805 0 7 9223372036854775807 -1 -2 3 -49 12 0 4611686018427387904 0 -1 -6148914691198339717 -1 -13 7 -9223372036854775808 -3074457345599169859 -4611686018427387905 -1537228672799584930 -9223372036854775808 3 2 14 0 7 9223372036854775807 -1 -4611686018427387905 -4611686018427387904 4611686018427387903 3458764513820540928 0 1 0 -1 -1537228672799584930 -1 -4
//! out mixed: 7 -9223372036854775808 -3074457345599169859 -2 -6148914691198339718 2 -9223372036854775808 -9223372036854775808 -9223372036854775808 0 7 9223372036854775807 -2 -2 2 -56 8 0 0 0 -9223372036854775808 -6148914691198339718 -2 -14 7 -9223372036854775808 -3074457345599169859 4611686018427387903 -1537228672799584930 0 -1 0 0 0 7 9223372036854775807 -1 4611686018427387903 -4611686018427387904 -1 -1152921504606846976 0 -1 0 -1 -1537228672799584930 -1 -4 7 -9223372036854775808 -3074457345599169859 -2 -6148914691198339717 2 -4611686018427387904 -9223372036854775808 -9223372036854775805 0 7 9223372036854775807 -1 -2 3 -49 12 0 4611686018427387904 0 -1 -6148914691198339717 -1 -13 7 -9223372036854775808 -3074457345599169859 -4611686018427387905 -1537228672799584930 -9223372036854775808 3 2 14 0 7 9223372036854775807 -1 -4611686018427387905 -4611686018427387904 4611686018427387903 3458764513820540928 0 1 0 -1 -1537228672799584930 -1 -4
//! order-free yes
program rule_shift_i64;

param i64 p0;
param i64 q0;
param i64 p1;
param i64 q1;
param i64 p2;
param i64 q2;
param i64 p3;
param i64 q3;
param i64 p4;
param i64 q4;
param i64 p5;
param i64 q5;
param i64 p6;
param i64 q6;
param i64 p7;
param i64 q7;
param i64 p8;
param i64 q8;
param i64 p9;
param i64 q9;
param i64 p10;
param i64 q10;
param i64 p11;
param i64 q11;
param i64 p12;
param i64 q12;
param i64 p13;
param i64 q13;
param i64 p14;
param i64 q14;
param i64 p15;
param i64 q15;
param i64 p16;
param i64 q16;
param i64 p17;
param i64 q17;
param i64 p18;
param i64 q18;
param i64 p19;
param i64 q19;
param i64 p20;
param i64 q20;
param i64 p21;
param i64 q21;
param i64 p22;
param i64 q22;
param i64 p23;
param i64 q23;
in  i64 a[24];
in  i64 b[24];
out i64 loaded[96];
out i64 literals[96];
out i64 params[96];
out i64 mixed[96];

kernel (24) workgroup(4) {
    let i = gid.x;
    loaded[0 + i] = a[i] << b[i];
    loaded[24 + i] = a[i] >> b[i];
    loaded[48 + i] = rotate_left(a[i], b[i]);
    loaded[72 + i] = rotate_right(a[i], b[i]);
    if i == 0 {
        literals[0] = i64(7) << i64(0);
        params[0] = p0 << q0;
        mixed[0] = i64(7) << q0;
        literals[24] = i64(7) >> i64(0);
        params[24] = p0 >> q0;
        mixed[24] = a[i] >> i64(0);
        literals[48] = rotate_left(i64(7), i64(0));
        params[48] = rotate_left(p0, q0);
        mixed[48] = rotate_left(i64(7), q0);
        literals[72] = rotate_right(i64(7), i64(0));
        params[72] = rotate_right(p0, q0);
        mixed[72] = rotate_right(a[i], i64(0));
    }
    if i == 1 {
        literals[1] = (i64(-9223372036854775807) - 1) << i64(0);
        params[1] = p1 << q1;
        mixed[1] = a[i] << i64(0);
        literals[25] = (i64(-9223372036854775807) - 1) >> i64(0);
        params[25] = p1 >> q1;
        mixed[25] = (i64(-9223372036854775807) - 1) >> q1;
        literals[49] = rotate_left((i64(-9223372036854775807) - 1), i64(0));
        params[49] = rotate_left(p1, q1);
        mixed[49] = rotate_left(a[i], i64(0));
        literals[73] = rotate_right((i64(-9223372036854775807) - 1), i64(0));
        params[73] = rotate_right(p1, q1);
        mixed[73] = rotate_right((i64(-9223372036854775807) - 1), q1);
    }
    if i == 2 {
        literals[2] = i64(-3074457345599169859) << i64(0);
        params[2] = p2 << q2;
        mixed[2] = i64(-3074457345599169859) << q2;
        literals[26] = i64(-3074457345599169859) >> i64(0);
        params[26] = p2 >> q2;
        mixed[26] = a[i] >> i64(0);
        literals[50] = rotate_left(i64(-3074457345599169859), i64(0));
        params[50] = rotate_left(p2, q2);
        mixed[50] = rotate_left(i64(-3074457345599169859), q2);
        literals[74] = rotate_right(i64(-3074457345599169859), i64(0));
        params[74] = rotate_right(p2, q2);
        mixed[74] = rotate_right(a[i], i64(0));
    }
    if i == 3 {
        literals[3] = i64(9223372036854775807) << i64(1);
        params[3] = p3 << q3;
        mixed[3] = a[i] << i64(1);
        literals[27] = i64(9223372036854775807) >> i64(1);
        params[27] = p3 >> q3;
        mixed[27] = i64(9223372036854775807) >> q3;
        literals[51] = rotate_left(i64(9223372036854775807), i64(1));
        params[51] = rotate_left(p3, q3);
        mixed[51] = rotate_left(a[i], i64(1));
        literals[75] = rotate_right(i64(9223372036854775807), i64(1));
        params[75] = rotate_right(p3, q3);
        mixed[75] = rotate_right(i64(9223372036854775807), q3);
    }
    if i == 4 {
        literals[4] = i64(-3074457345599169859) << i64(1);
        params[4] = p4 << q4;
        mixed[4] = i64(-3074457345599169859) << q4;
        literals[28] = i64(-3074457345599169859) >> i64(1);
        params[28] = p4 >> q4;
        mixed[28] = a[i] >> i64(1);
        literals[52] = rotate_left(i64(-3074457345599169859), i64(1));
        params[52] = rotate_left(p4, q4);
        mixed[52] = rotate_left(i64(-3074457345599169859), q4);
        literals[76] = rotate_right(i64(-3074457345599169859), i64(1));
        params[76] = rotate_right(p4, q4);
        mixed[76] = rotate_right(a[i], i64(1));
    }
    if i == 5 {
        literals[5] = i64(1) << i64(1);
        params[5] = p5 << q5;
        mixed[5] = a[i] << i64(1);
        literals[29] = i64(1) >> i64(1);
        params[29] = p5 >> q5;
        mixed[29] = i64(1) >> q5;
        literals[53] = rotate_left(i64(1), i64(1));
        params[53] = rotate_left(p5, q5);
        mixed[53] = rotate_left(a[i], i64(1));
        literals[77] = rotate_right(i64(1), i64(1));
        params[77] = rotate_right(p5, q5);
        mixed[77] = rotate_right(i64(1), q5);
    }
    if i == 6 {
        literals[6] = i64(-9223372036854775807) << i64(63);
        params[6] = p6 << q6;
        mixed[6] = i64(-9223372036854775807) << q6;
        literals[30] = i64(-9223372036854775807) >> i64(63);
        params[30] = p6 >> q6;
        mixed[30] = a[i] >> i64(63);
        literals[54] = rotate_left(i64(-9223372036854775807), i64(63));
        params[54] = rotate_left(p6, q6);
        mixed[54] = rotate_left(i64(-9223372036854775807), q6);
        literals[78] = rotate_right(i64(-9223372036854775807), i64(63));
        params[78] = rotate_right(p6, q6);
        mixed[78] = rotate_right(a[i], i64(63));
    }
    if i == 7 {
        literals[7] = i64(1) << i64(63);
        params[7] = p7 << q7;
        mixed[7] = a[i] << i64(63);
        literals[31] = i64(1) >> i64(63);
        params[31] = p7 >> q7;
        mixed[31] = i64(1) >> q7;
        literals[55] = rotate_left(i64(1), i64(63));
        params[55] = rotate_left(p7, q7);
        mixed[55] = rotate_left(a[i], i64(63));
        literals[79] = rotate_right(i64(1), i64(63));
        params[79] = rotate_right(p7, q7);
        mixed[79] = rotate_right(i64(1), q7);
    }
    if i == 8 {
        literals[8] = i64(7) << i64(63);
        params[8] = p8 << q8;
        mixed[8] = i64(7) << q8;
        literals[32] = i64(7) >> i64(63);
        params[32] = p8 >> q8;
        mixed[32] = a[i] >> i64(63);
        literals[56] = rotate_left(i64(7), i64(63));
        params[56] = rotate_left(p8, q8);
        mixed[56] = rotate_left(i64(7), q8);
        literals[80] = rotate_right(i64(7), i64(63));
        params[80] = rotate_right(p8, q8);
        mixed[80] = rotate_right(a[i], i64(63));
    }
    if i == 9 {
        literals[9] = i64(0) << i64(64);
        params[9] = p9 << q9;
        mixed[9] = a[i] << i64(64);
        literals[33] = i64(0) >> i64(64);
        params[33] = p9 >> q9;
        mixed[33] = i64(0) >> q9;
        literals[57] = rotate_left(i64(0), i64(64));
        params[57] = rotate_left(p9, q9);
        mixed[57] = rotate_left(a[i], i64(64));
        literals[81] = rotate_right(i64(0), i64(64));
        params[81] = rotate_right(p9, q9);
        mixed[81] = rotate_right(i64(0), q9);
    }
    if i == 10 {
        literals[10] = i64(7) << i64(64);
        params[10] = p10 << q10;
        mixed[10] = i64(7) << q10;
        literals[34] = i64(7) >> i64(64);
        params[34] = p10 >> q10;
        mixed[34] = a[i] >> i64(64);
        literals[58] = rotate_left(i64(7), i64(64));
        params[58] = rotate_left(p10, q10);
        mixed[58] = rotate_left(i64(7), q10);
        literals[82] = rotate_right(i64(7), i64(64));
        params[82] = rotate_right(p10, q10);
        mixed[82] = rotate_right(a[i], i64(64));
    }
    if i == 11 {
        literals[11] = i64(9223372036854775807) << i64(64);
        params[11] = p11 << q11;
        mixed[11] = a[i] << i64(64);
        literals[35] = i64(9223372036854775807) >> i64(64);
        params[35] = p11 >> q11;
        mixed[35] = i64(9223372036854775807) >> q11;
        literals[59] = rotate_left(i64(9223372036854775807), i64(64));
        params[59] = rotate_left(p11, q11);
        mixed[59] = rotate_left(a[i], i64(64));
        literals[83] = rotate_right(i64(9223372036854775807), i64(64));
        params[83] = rotate_right(p11, q11);
        mixed[83] = rotate_right(i64(9223372036854775807), q11);
    }
    if i == 12 {
        literals[12] = i64(-1) << i64(65);
        params[12] = p12 << q12;
        mixed[12] = i64(-1) << q12;
        literals[36] = i64(-1) >> i64(65);
        params[36] = p12 >> q12;
        mixed[36] = a[i] >> i64(65);
        literals[60] = rotate_left(i64(-1), i64(65));
        params[60] = rotate_left(p12, q12);
        mixed[60] = rotate_left(i64(-1), q12);
        literals[84] = rotate_right(i64(-1), i64(65));
        params[84] = rotate_right(p12, q12);
        mixed[84] = rotate_right(a[i], i64(65));
    }
    if i == 13 {
        literals[13] = i64(9223372036854775807) << i64(65);
        params[13] = p13 << q13;
        mixed[13] = a[i] << i64(65);
        literals[37] = i64(9223372036854775807) >> i64(65);
        params[37] = p13 >> q13;
        mixed[37] = i64(9223372036854775807) >> q13;
        literals[61] = rotate_left(i64(9223372036854775807), i64(65));
        params[61] = rotate_left(p13, q13);
        mixed[61] = rotate_left(a[i], i64(65));
        literals[85] = rotate_right(i64(9223372036854775807), i64(65));
        params[85] = rotate_right(p13, q13);
        mixed[85] = rotate_right(i64(9223372036854775807), q13);
    }
    if i == 14 {
        literals[14] = i64(-9223372036854775807) << i64(65);
        params[14] = p14 << q14;
        mixed[14] = i64(-9223372036854775807) << q14;
        literals[38] = i64(-9223372036854775807) >> i64(65);
        params[38] = p14 >> q14;
        mixed[38] = a[i] >> i64(65);
        literals[62] = rotate_left(i64(-9223372036854775807), i64(65));
        params[62] = rotate_left(p14, q14);
        mixed[62] = rotate_left(i64(-9223372036854775807), q14);
        literals[86] = rotate_right(i64(-9223372036854775807), i64(65));
        params[86] = rotate_right(p14, q14);
        mixed[86] = rotate_right(a[i], i64(65));
    }
    if i == 15 {
        literals[15] = i64(-7) << i64(131);
        params[15] = p15 << q15;
        mixed[15] = a[i] << i64(131);
        literals[39] = i64(-7) >> i64(131);
        params[39] = p15 >> q15;
        mixed[39] = i64(-7) >> q15;
        literals[63] = rotate_left(i64(-7), i64(131));
        params[63] = rotate_left(p15, q15);
        mixed[63] = rotate_left(a[i], i64(131));
        literals[87] = rotate_right(i64(-7), i64(131));
        params[87] = rotate_right(p15, q15);
        mixed[87] = rotate_right(i64(-7), q15);
    }
    if i == 16 {
        literals[16] = i64(-9223372036854775807) << i64(131);
        params[16] = p16 << q16;
        mixed[16] = i64(-9223372036854775807) << q16;
        literals[40] = i64(-9223372036854775807) >> i64(131);
        params[40] = p16 >> q16;
        mixed[40] = a[i] >> i64(131);
        literals[64] = rotate_left(i64(-9223372036854775807), i64(131));
        params[64] = rotate_left(p16, q16);
        mixed[64] = rotate_left(i64(-9223372036854775807), q16);
        literals[88] = rotate_right(i64(-9223372036854775807), i64(131));
        params[88] = rotate_right(p16, q16);
        mixed[88] = rotate_right(a[i], i64(131));
    }
    if i == 17 {
        literals[17] = i64(0) << i64(131);
        params[17] = p17 << q17;
        mixed[17] = a[i] << i64(131);
        literals[41] = i64(0) >> i64(131);
        params[41] = p17 >> q17;
        mixed[41] = i64(0) >> q17;
        literals[65] = rotate_left(i64(0), i64(131));
        params[65] = rotate_left(p17, q17);
        mixed[65] = rotate_left(a[i], i64(131));
        literals[89] = rotate_right(i64(0), i64(131));
        params[89] = rotate_right(p17, q17);
        mixed[89] = rotate_right(i64(0), q17);
    }
    if i == 18 {
        literals[18] = (i64(-9223372036854775807) - 1) << i64(-1);
        params[18] = p18 << q18;
        mixed[18] = (i64(-9223372036854775807) - 1) << q18;
        literals[42] = (i64(-9223372036854775807) - 1) >> i64(-1);
        params[42] = p18 >> q18;
        mixed[42] = a[i] >> i64(-1);
        literals[66] = rotate_left((i64(-9223372036854775807) - 1), i64(-1));
        params[66] = rotate_left(p18, q18);
        mixed[66] = rotate_left((i64(-9223372036854775807) - 1), q18);
        literals[90] = rotate_right((i64(-9223372036854775807) - 1), i64(-1));
        params[90] = rotate_right(p18, q18);
        mixed[90] = rotate_right(a[i], i64(-1));
    }
    if i == 19 {
        literals[19] = i64(0) << i64(-1);
        params[19] = p19 << q19;
        mixed[19] = a[i] << i64(-1);
        literals[43] = i64(0) >> i64(-1);
        params[43] = p19 >> q19;
        mixed[43] = i64(0) >> q19;
        literals[67] = rotate_left(i64(0), i64(-1));
        params[67] = rotate_left(p19, q19);
        mixed[67] = rotate_left(a[i], i64(-1));
        literals[91] = rotate_right(i64(0), i64(-1));
        params[91] = rotate_right(p19, q19);
        mixed[91] = rotate_right(i64(0), q19);
    }
    if i == 20 {
        literals[20] = i64(-1) << i64(-1);
        params[20] = p20 << q20;
        mixed[20] = i64(-1) << q20;
        literals[44] = i64(-1) >> i64(-1);
        params[44] = p20 >> q20;
        mixed[44] = a[i] >> i64(-1);
        literals[68] = rotate_left(i64(-1), i64(-1));
        params[68] = rotate_left(p20, q20);
        mixed[68] = rotate_left(i64(-1), q20);
        literals[92] = rotate_right(i64(-1), i64(-1));
        params[92] = rotate_right(p20, q20);
        mixed[92] = rotate_right(a[i], i64(-1));
    }
    if i == 21 {
        literals[21] = i64(-3074457345599169859) << i64(-63);
        params[21] = p21 << q21;
        mixed[21] = a[i] << i64(-63);
        literals[45] = i64(-3074457345599169859) >> i64(-63);
        params[45] = p21 >> q21;
        mixed[45] = i64(-3074457345599169859) >> q21;
        literals[69] = rotate_left(i64(-3074457345599169859), i64(-63));
        params[69] = rotate_left(p21, q21);
        mixed[69] = rotate_left(a[i], i64(-63));
        literals[93] = rotate_right(i64(-3074457345599169859), i64(-63));
        params[93] = rotate_right(p21, q21);
        mixed[93] = rotate_right(i64(-3074457345599169859), q21);
    }
    if i == 22 {
        literals[22] = i64(-1) << i64(-63);
        params[22] = p22 << q22;
        mixed[22] = i64(-1) << q22;
        literals[46] = i64(-1) >> i64(-63);
        params[46] = p22 >> q22;
        mixed[46] = a[i] >> i64(-63);
        literals[70] = rotate_left(i64(-1), i64(-63));
        params[70] = rotate_left(p22, q22);
        mixed[70] = rotate_left(i64(-1), q22);
        literals[94] = rotate_right(i64(-1), i64(-63));
        params[94] = rotate_right(p22, q22);
        mixed[94] = rotate_right(a[i], i64(-63));
    }
    if i == 23 {
        literals[23] = i64(-7) << i64(-63);
        params[23] = p23 << q23;
        mixed[23] = a[i] << i64(-63);
        literals[47] = i64(-7) >> i64(-63);
        params[47] = p23 >> q23;
        mixed[47] = i64(-7) >> q23;
        literals[71] = rotate_left(i64(-7), i64(-63));
        params[71] = rotate_left(p23, q23);
        mixed[71] = rotate_left(a[i], i64(-63));
        literals[95] = rotate_right(i64(-7), i64(-63));
        params[95] = rotate_right(p23, q23);
        mixed[95] = rotate_right(i64(-7), q23);
    }
}
