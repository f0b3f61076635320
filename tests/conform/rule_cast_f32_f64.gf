// f32 to f64 is exact.
// Rows: bitcast<u64>(f64(A)).
// The same operands loaded, as literals, as params, and mixed.
//! args --in a=0.0,-0.0,1.0,1.000000238418579,1.0000001192092896,0.0,0.0,1.401298464324817e-45,-0.0,inf,inf,3.4028234663852886e+38,-inf,inf,-inf,nan,1.401298464324817e-45,0.0,1.401298464324817e-45,0.10000000149011612,1.401298464324817e-45 --in b=0.0,-0.0,1.0,1.000000238418579,1.0000001192092896,0.0,0.0,1.401298464324817e-45,-0.0,inf,inf,3.4028234663852886e+38,-inf,inf,-inf,nan,1.401298464324817e-45,0.0,1.401298464324817e-45,0.10000000149011612,1.401298464324817e-45 --set p0=0.0 --set q0=0.0 --set p1=-0.0 --set q1=-0.0 --set p2=1.0 --set q2=1.0 --set p3=1.000000238418579 --set q3=1.000000238418579 --set p4=1.0000001192092896 --set q4=1.0000001192092896 --set p5=0.0 --set q5=0.0 --set p6=0.0 --set q6=0.0 --set p7=1.401298464324817e-45 --set q7=1.401298464324817e-45 --set p8=-0.0 --set q8=-0.0 --set p9=inf --set q9=inf --set p10=inf --set q10=inf --set p11=3.4028234663852886e+38 --set q11=3.4028234663852886e+38 --set p12=-inf --set q12=-inf --set p13=inf --set q13=inf --set p14=-inf --set q14=-inf --set p15=nan --set q15=nan --set p16=1.401298464324817e-45 --set q16=1.401298464324817e-45 --set p17=0.0 --set q17=0.0 --set p18=1.401298464324817e-45 --set q18=1.401298464324817e-45 --set p19=0.10000000149011612 --set q19=0.10000000149011612 --set p20=1.401298464324817e-45 --set q20=1.401298464324817e-45
//! out loaded: 0 9223372036854775808 4607182418800017408 4607182419873759232 4607182419336888320 0 0 3936146074321813504 9223372036854775808 9218868437227405312 9218868437227405312 5183643170566569984 18442240474082181120 9218868437227405312 18442240474082181120 9221120237041090560 3936146074321813504 0 3936146074321813504 4591870180174331904 3936146074321813504
//! out literals: 0 9223372036854775808 4607182418800017408 4607182419873759232 4607182419336888320 0 0 3936146074321813504 9223372036854775808 9218868437227405312 9218868437227405312 5183643170566569984 18442240474082181120 9218868437227405312 18442240474082181120 9221120237041090560 3936146074321813504 0 3936146074321813504 4591870180174331904 3936146074321813504
//! out params: 0 9223372036854775808 4607182418800017408 4607182419873759232 4607182419336888320 0 0 3936146074321813504 9223372036854775808 9218868437227405312 9218868437227405312 5183643170566569984 18442240474082181120 9218868437227405312 18442240474082181120 9221120237041090560 3936146074321813504 0 3936146074321813504 4591870180174331904 3936146074321813504
//! out mixed: 0 9223372036854775808 4607182418800017408 4607182419873759232 4607182419336888320 0 0 3936146074321813504 9223372036854775808 9218868437227405312 9218868437227405312 5183643170566569984 18442240474082181120 9218868437227405312 18442240474082181120 9221120237041090560 3936146074321813504 0 3936146074321813504 4591870180174331904 3936146074321813504
//! order-free yes
program rule_cast_f32_f64;

param f32 p0;
param f32 q0;
param f32 p1;
param f32 q1;
param f32 p2;
param f32 q2;
param f32 p3;
param f32 q3;
param f32 p4;
param f32 q4;
param f32 p5;
param f32 q5;
param f32 p6;
param f32 q6;
param f32 p7;
param f32 q7;
param f32 p8;
param f32 q8;
param f32 p9;
param f32 q9;
param f32 p10;
param f32 q10;
param f32 p11;
param f32 q11;
param f32 p12;
param f32 q12;
param f32 p13;
param f32 q13;
param f32 p14;
param f32 q14;
param f32 p15;
param f32 q15;
param f32 p16;
param f32 q16;
param f32 p17;
param f32 q17;
param f32 p18;
param f32 q18;
param f32 p19;
param f32 q19;
param f32 p20;
param f32 q20;
in  f32 a[21];
in  f32 b[21];
out u64 loaded[21];
out u64 literals[21];
out u64 params[21];
out u64 mixed[21];

kernel (21) workgroup(4) {
    let i = gid.x;
    loaded[0 + i] = bitcast<u64>(f64(a[i]));
    if i == 0 {
        literals[0] = bitcast<u64>(f64(f32(0.0)));
        params[0] = bitcast<u64>(f64(p0));
        mixed[0] = bitcast<u64>(f64(f32(0.0)));
    }
    if i == 1 {
        literals[1] = bitcast<u64>(f64((-f32(0.0))));
        params[1] = bitcast<u64>(f64(p1));
        mixed[1] = bitcast<u64>(f64(a[i]));
    }
    if i == 2 {
        literals[2] = bitcast<u64>(f64(f32(1.0)));
        params[2] = bitcast<u64>(f64(p2));
        mixed[2] = bitcast<u64>(f64(f32(1.0)));
    }
    if i == 3 {
        literals[3] = bitcast<u64>(f64(f32(1.000000238418579)));
        params[3] = bitcast<u64>(f64(p3));
        mixed[3] = bitcast<u64>(f64(a[i]));
    }
    if i == 4 {
        literals[4] = bitcast<u64>(f64(f32(1.0000001192092896)));
        params[4] = bitcast<u64>(f64(p4));
        mixed[4] = bitcast<u64>(f64(f32(1.0000001192092896)));
    }
    if i == 5 {
        literals[5] = bitcast<u64>(f64(f32(0.0)));
        params[5] = bitcast<u64>(f64(p5));
        mixed[5] = bitcast<u64>(f64(a[i]));
    }
    if i == 6 {
        literals[6] = bitcast<u64>(f64(f32(0.0)));
        params[6] = bitcast<u64>(f64(p6));
        mixed[6] = bitcast<u64>(f64(f32(0.0)));
    }
    if i == 7 {
        literals[7] = bitcast<u64>(f64(f32(1.401298464324817e-45)));
        params[7] = bitcast<u64>(f64(p7));
        mixed[7] = bitcast<u64>(f64(a[i]));
    }
    if i == 8 {
        literals[8] = bitcast<u64>(f64((-f32(0.0))));
        params[8] = bitcast<u64>(f64(p8));
        mixed[8] = bitcast<u64>(f64((-f32(0.0))));
    }
    if i == 9 {
        literals[9] = bitcast<u64>(f64(f32(inf)));
        params[9] = bitcast<u64>(f64(p9));
        mixed[9] = bitcast<u64>(f64(a[i]));
    }
    if i == 10 {
        literals[10] = bitcast<u64>(f64(f32(inf)));
        params[10] = bitcast<u64>(f64(p10));
        mixed[10] = bitcast<u64>(f64(f32(inf)));
    }
    if i == 11 {
        literals[11] = bitcast<u64>(f64(f32(3.4028234663852886e+38)));
        params[11] = bitcast<u64>(f64(p11));
        mixed[11] = bitcast<u64>(f64(a[i]));
    }
    if i == 12 {
        literals[12] = bitcast<u64>(f64((-f32(inf))));
        params[12] = bitcast<u64>(f64(p12));
        mixed[12] = bitcast<u64>(f64((-f32(inf))));
    }
    if i == 13 {
        literals[13] = bitcast<u64>(f64(f32(inf)));
        params[13] = bitcast<u64>(f64(p13));
        mixed[13] = bitcast<u64>(f64(a[i]));
    }
    if i == 14 {
        literals[14] = bitcast<u64>(f64((-f32(inf))));
        params[14] = bitcast<u64>(f64(p14));
        mixed[14] = bitcast<u64>(f64((-f32(inf))));
    }
    if i == 15 {
        literals[15] = bitcast<u64>(f64(f32(nan)));
        params[15] = bitcast<u64>(f64(p15));
        mixed[15] = bitcast<u64>(f64(a[i]));
    }
    if i == 16 {
        literals[16] = bitcast<u64>(f64(f32(1.401298464324817e-45)));
        params[16] = bitcast<u64>(f64(p16));
        mixed[16] = bitcast<u64>(f64(f32(1.401298464324817e-45)));
    }
    if i == 17 {
        literals[17] = bitcast<u64>(f64(f32(0.0)));
        params[17] = bitcast<u64>(f64(p17));
        mixed[17] = bitcast<u64>(f64(a[i]));
    }
    if i == 18 {
        literals[18] = bitcast<u64>(f64(f32(1.401298464324817e-45)));
        params[18] = bitcast<u64>(f64(p18));
        mixed[18] = bitcast<u64>(f64(f32(1.401298464324817e-45)));
    }
    if i == 19 {
        literals[19] = bitcast<u64>(f64(f32(0.10000000149011612)));
        params[19] = bitcast<u64>(f64(p19));
        mixed[19] = bitcast<u64>(f64(a[i]));
    }
    if i == 20 {
        literals[20] = bitcast<u64>(f64(f32(1.401298464324817e-45)));
        params[20] = bitcast<u64>(f64(p20));
        mixed[20] = bitcast<u64>(f64(f32(1.401298464324817e-45)));
    }
}
