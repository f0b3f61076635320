// f64 to f32: nearest, ties to even.
// Rows: bitcast<u32>(f32(A)).
// The same operands loaded, as literals, as params, and mixed.
//! args --in a=0.0,-0.0,1.0000000596046448,1.0000001788139343,1.000000059604645,1e-46,7e-46,7.1e-46,-1e-50,1e+39,3.4028235677973366e+38,3.4028235677973362e+38,-1e+300,inf,-inf,nan,1.401298464324817e-45,7.006492321624085e-46,7.006492321630458e-46,0.1 --in b=0.0,-0.0,1.0000000596046448,1.0000001788139343,1.000000059604645,1e-46,7e-46,7.1e-46,-1e-50,1e+39,3.4028235677973366e+38,3.4028235677973362e+38,-1e+300,inf,-inf,nan,1.401298464324817e-45,7.006492321624085e-46,7.006492321630458e-46,0.1 --set p0=0.0 --set q0=0.0 --set p1=-0.0 --set q1=-0.0 --set p2=1.0000000596046448 --set q2=1.0000000596046448 --set p3=1.0000001788139343 --set q3=1.0000001788139343 --set p4=1.000000059604645 --set q4=1.000000059604645 --set p5=1e-46 --set q5=1e-46 --set p6=7e-46 --set q6=7e-46 --set p7=7.1e-46 --set q7=7.1e-46 --set p8=-1e-50 --set q8=-1e-50 --set p9=1e+39 --set q9=1e+39 --set p10=3.4028235677973366e+38 --set q10=3.4028235677973366e+38 --set p11=3.4028235677973362e+38 --set q11=3.4028235677973362e+38 --set p12=-1e+300 --set q12=-1e+300 --set p13=inf --set q13=inf --set p14=-inf --set q14=-inf --set p15=nan --set q15=nan --set p16=1.401298464324817e-45 --set q16=1.401298464324817e-45 --set p17=7.006492321624085e-46 --set q17=7.006492321624085e-46 --set p18=7.006492321630458e-46 --set q18=7.006492321630458e-46 --set p19=0.1 --set q19=0.1
//! out loaded: 0 2147483648 1065353216 1065353218 1065353217 0 0 1 2147483648 2139095040 2139095040 2139095039 4286578688 2139095040 4286578688 2143289344 1 0 1 1036831949
//! out literals: 0 2147483648 1065353216 1065353218 1065353217 0 0 1 2147483648 2139095040 2139095040 2139095039 4286578688 2139095040 4286578688 2143289344 1 0 1 1036831949
//! out params: 0 2147483648 1065353216 1065353218 1065353217 0 0 1 2147483648 2139095040 2139095040 2139095039 4286578688 2139095040 4286578688 2143289344 1 0 1 1036831949
//! out mixed: 0 2147483648 1065353216 1065353218 1065353217 0 0 1 2147483648 2139095040 2139095040 2139095039 4286578688 2139095040 4286578688 2143289344 1 0 1 1036831949
//! order-free yes
program rule_cast_f64_f32;

param f64 p0;
param f64 q0;
param f64 p1;
param f64 q1;
param f64 p2;
param f64 q2;
param f64 p3;
param f64 q3;
param f64 p4;
param f64 q4;
param f64 p5;
param f64 q5;
param f64 p6;
param f64 q6;
param f64 p7;
param f64 q7;
param f64 p8;
param f64 q8;
param f64 p9;
param f64 q9;
param f64 p10;
param f64 q10;
param f64 p11;
param f64 q11;
param f64 p12;
param f64 q12;
param f64 p13;
param f64 q13;
param f64 p14;
param f64 q14;
param f64 p15;
param f64 q15;
param f64 p16;
param f64 q16;
param f64 p17;
param f64 q17;
param f64 p18;
param f64 q18;
param f64 p19;
param f64 q19;
in  f64 a[20];
in  f64 b[20];
out u32 loaded[20];
out u32 literals[20];
out u32 params[20];
out u32 mixed[20];

kernel (20) workgroup(4) {
    let i = gid.x;
    loaded[0 + i] = bitcast<u32>(f32(a[i]));
    if i == 0 {
        literals[0] = bitcast<u32>(f32(f64(0.0)));
        params[0] = bitcast<u32>(f32(p0));
        mixed[0] = bitcast<u32>(f32(f64(0.0)));
    }
    if i == 1 {
        literals[1] = bitcast<u32>(f32((-f64(0.0))));
        params[1] = bitcast<u32>(f32(p1));
        mixed[1] = bitcast<u32>(f32(a[i]));
    }
    if i == 2 {
        literals[2] = bitcast<u32>(f32(f64(1.0000000596046448)));
        params[2] = bitcast<u32>(f32(p2));
        mixed[2] = bitcast<u32>(f32(f64(1.0000000596046448)));
    }
    if i == 3 {
        literals[3] = bitcast<u32>(f32(f64(1.0000001788139343)));
        params[3] = bitcast<u32>(f32(p3));
        mixed[3] = bitcast<u32>(f32(a[i]));
    }
    if i == 4 {
        literals[4] = bitcast<u32>(f32(f64(1.000000059604645)));
        params[4] = bitcast<u32>(f32(p4));
        mixed[4] = bitcast<u32>(f32(f64(1.000000059604645)));
    }
    if i == 5 {
        literals[5] = bitcast<u32>(f32(f64(1e-46)));
        params[5] = bitcast<u32>(f32(p5));
        mixed[5] = bitcast<u32>(f32(a[i]));
    }
    if i == 6 {
        literals[6] = bitcast<u32>(f32(f64(7e-46)));
        params[6] = bitcast<u32>(f32(p6));
        mixed[6] = bitcast<u32>(f32(f64(7e-46)));
    }
    if i == 7 {
        literals[7] = bitcast<u32>(f32(f64(7.1e-46)));
        params[7] = bitcast<u32>(f32(p7));
        mixed[7] = bitcast<u32>(f32(a[i]));
    }
    if i == 8 {
        literals[8] = bitcast<u32>(f32((-f64(1e-50))));
        params[8] = bitcast<u32>(f32(p8));
        mixed[8] = bitcast<u32>(f32((-f64(1e-50))));
    }
    if i == 9 {
        literals[9] = bitcast<u32>(f32(f64(1e+39)));
        params[9] = bitcast<u32>(f32(p9));
        mixed[9] = bitcast<u32>(f32(a[i]));
    }
    if i == 10 {
        literals[10] = bitcast<u32>(f32(f64(3.4028235677973366e+38)));
        params[10] = bitcast<u32>(f32(p10));
        mixed[10] = bitcast<u32>(f32(f64(3.4028235677973366e+38)));
    }
    if i == 11 {
        literals[11] = bitcast<u32>(f32(f64(3.4028235677973362e+38)));
        params[11] = bitcast<u32>(f32(p11));
        mixed[11] = bitcast<u32>(f32(a[i]));
    }
    if i == 12 {
        literals[12] = bitcast<u32>(f32((-f64(1e+300))));
        params[12] = bitcast<u32>(f32(p12));
        mixed[12] = bitcast<u32>(f32((-f64(1e+300))));
    }
    if i == 13 {
        literals[13] = bitcast<u32>(f32(f64(inf)));
        params[13] = bitcast<u32>(f32(p13));
        mixed[13] = bitcast<u32>(f32(a[i]));
    }
    if i == 14 {
        literals[14] = bitcast<u32>(f32((-f64(inf))));
        params[14] = bitcast<u32>(f32(p14));
        mixed[14] = bitcast<u32>(f32((-f64(inf))));
    }
    if i == 15 {
        literals[15] = bitcast<u32>(f32(f64(nan)));
        params[15] = bitcast<u32>(f32(p15));
        mixed[15] = bitcast<u32>(f32(a[i]));
    }
    if i == 16 {
        literals[16] = bitcast<u32>(f32(f64(1.401298464324817e-45)));
        params[16] = bitcast<u32>(f32(p16));
        mixed[16] = bitcast<u32>(f32(f64(1.401298464324817e-45)));
    }
    if i == 17 {
        literals[17] = bitcast<u32>(f32(f64(7.006492321624085e-46)));
        params[17] = bitcast<u32>(f32(p17));
        mixed[17] = bitcast<u32>(f32(a[i]));
    }
    if i == 18 {
        literals[18] = bitcast<u32>(f32(f64(7.006492321630458e-46)));
        params[18] = bitcast<u32>(f32(p18));
        mixed[18] = bitcast<u32>(f32(f64(7.006492321630458e-46)));
    }
    if i == 19 {
        literals[19] = bitcast<u32>(f32(f64(0.1)));
        params[19] = bitcast<u32>(f32(p19));
        mixed[19] = bitcast<u32>(f32(a[i]));
    }
}
