// A float to an integer: toward zero, saturating, NaN gives 0.
// Rows: i32(A).
// The same operands loaded, as literals, as params, and mixed.
//! args --in a=0.0,-0.0,0.99,-0.99,1.5,-1.5,2147483648.0,2147483647.0,-2147483648.0,-2147483649.0,4294967296.0,4294967295.0,4294967040.0,9.223372036854776e+18,-9.223372036854776e+18,1.8446744073709552e+19,1.8446742974197924e+19,1e+30,-1e+30,inf,-inf,nan,9007199254740991.0,1e-40 --in b=0.0,-0.0,0.99,-0.99,1.5,-1.5,2147483648.0,2147483647.0,-2147483648.0,-2147483649.0,4294967296.0,4294967295.0,4294967040.0,9.223372036854776e+18,-9.223372036854776e+18,1.8446744073709552e+19,1.8446742974197924e+19,1e+30,-1e+30,inf,-inf,nan,9007199254740991.0,1e-40 --set p0=0.0 --set q0=0.0 --set p1=-0.0 --set q1=-0.0 --set p2=0.99 --set q2=0.99 --set p3=-0.99 --set q3=-0.99 --set p4=1.5 --set q4=1.5 --set p5=-1.5 --set q5=-1.5 --set p6=2147483648.0 --set q6=2147483648.0 --set p7=2147483647.0 --set q7=2147483647.0 --set p8=-2147483648.0 --set q8=-2147483648.0 --set p9=-2147483649.0 --set q9=-2147483649.0 --set p10=4294967296.0 --set q10=4294967296.0 --set p11=4294967295.0 --set q11=4294967295.0 --set p12=4294967040.0 --set q12=4294967040.0 --set p13=9.223372036854776e+18 --set q13=9.223372036854776e+18 --set p14=-9.223372036854776e+18 --set q14=-9.223372036854776e+18 --set p15=1.8446744073709552e+19 --set q15=1.8446744073709552e+19 --set p16=1.8446742974197924e+19 --set q16=1.8446742974197924e+19 --set p17=1e+30 --set q17=1e+30 --set p18=-1e+30 --set q18=-1e+30 --set p19=inf --set q19=inf --set p20=-inf --set q20=-inf --set p21=nan --set q21=nan --set p22=9007199254740991.0 --set q22=9007199254740991.0 --set p23=1e-40 --set q23=1e-40
//! out loaded: 0 0 0 0 1 -1 2147483647 2147483647 -2147483648 -2147483648 2147483647 2147483647 2147483647 2147483647 -2147483648 2147483647 2147483647 2147483647 -2147483648 2147483647 -2147483648 0 2147483647 0
//! out literals: 0 0 0 0 1 -1 2147483647 2147483647 -2147483648 -2147483648 2147483647 2147483647 2147483647 2147483647 -2147483648 2147483647 2147483647 2147483647 -2147483648 2147483647 -2147483648 0 2147483647 0
//! out params: 0 0 0 0 1 -1 2147483647 2147483647 -2147483648 -2147483648 2147483647 2147483647 2147483647 2147483647 -2147483648 2147483647 2147483647 2147483647 -2147483648 2147483647 -2147483648 0 2147483647 0
//! out mixed: 0 0 0 0 1 -1 2147483647 2147483647 -2147483648 -2147483648 2147483647 2147483647 2147483647 2147483647 -2147483648 2147483647 2147483647 2147483647 -2147483648 2147483647 -2147483648 0 2147483647 0
//! order-free yes
program rule_cast_f64_i32;

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
param f64 p20;
param f64 q20;
param f64 p21;
param f64 q21;
param f64 p22;
param f64 q22;
param f64 p23;
param f64 q23;
in  f64 a[24];
in  f64 b[24];
out i32 loaded[24];
out i32 literals[24];
out i32 params[24];
out i32 mixed[24];

kernel (24) workgroup(4) {
    let i = gid.x;
    loaded[0 + i] = i32(a[i]);
    if i == 0 {
        literals[0] = i32(f64(0.0));
        params[0] = i32(p0);
        mixed[0] = i32(f64(0.0));
    }
    if i == 1 {
        literals[1] = i32((-f64(0.0)));
        params[1] = i32(p1);
        mixed[1] = i32(a[i]);
    }
    if i == 2 {
        literals[2] = i32(f64(0.99));
        params[2] = i32(p2);
        mixed[2] = i32(f64(0.99));
    }
    if i == 3 {
        literals[3] = i32((-f64(0.99)));
        params[3] = i32(p3);
        mixed[3] = i32(a[i]);
    }
    if i == 4 {
        literals[4] = i32(f64(1.5));
        params[4] = i32(p4);
        mixed[4] = i32(f64(1.5));
    }
    if i == 5 {
        literals[5] = i32((-f64(1.5)));
        params[5] = i32(p5);
        mixed[5] = i32(a[i]);
    }
    if i == 6 {
        literals[6] = i32(f64(2147483648.0));
        params[6] = i32(p6);
        mixed[6] = i32(f64(2147483648.0));
    }
    if i == 7 {
        literals[7] = i32(f64(2147483647.0));
        params[7] = i32(p7);
        mixed[7] = i32(a[i]);
    }
    if i == 8 {
        literals[8] = i32((-f64(2147483648.0)));
        params[8] = i32(p8);
        mixed[8] = i32((-f64(2147483648.0)));
    }
    if i == 9 {
        literals[9] = i32((-f64(2147483649.0)));
        params[9] = i32(p9);
        mixed[9] = i32(a[i]);
    }
    if i == 10 {
        literals[10] = i32(f64(4294967296.0));
        params[10] = i32(p10);
        mixed[10] = i32(f64(4294967296.0));
    }
    if i == 11 {
        literals[11] = i32(f64(4294967295.0));
        params[11] = i32(p11);
        mixed[11] = i32(a[i]);
    }
    if i == 12 {
        literals[12] = i32(f64(4294967040.0));
        params[12] = i32(p12);
        mixed[12] = i32(f64(4294967040.0));
    }
    if i == 13 {
        literals[13] = i32(f64(9.223372036854776e+18));
        params[13] = i32(p13);
        mixed[13] = i32(a[i]);
    }
    if i == 14 {
        literals[14] = i32((-f64(9.223372036854776e+18)));
        params[14] = i32(p14);
        mixed[14] = i32((-f64(9.223372036854776e+18)));
    }
    if i == 15 {
        literals[15] = i32(f64(1.8446744073709552e+19));
        params[15] = i32(p15);
        mixed[15] = i32(a[i]);
    }
    if i == 16 {
        literals[16] = i32(f64(1.8446742974197924e+19));
        params[16] = i32(p16);
        mixed[16] = i32(f64(1.8446742974197924e+19));
    }
    if i == 17 {
        literals[17] = i32(f64(1e+30));
        params[17] = i32(p17);
        mixed[17] = i32(a[i]);
    }
    if i == 18 {
        literals[18] = i32((-f64(1e+30)));
        params[18] = i32(p18);
        mixed[18] = i32((-f64(1e+30)));
    }
    if i == 19 {
        literals[19] = i32(f64(inf));
        params[19] = i32(p19);
        mixed[19] = i32(a[i]);
    }
    if i == 20 {
        literals[20] = i32((-f64(inf)));
        params[20] = i32(p20);
        mixed[20] = i32((-f64(inf)));
    }
    if i == 21 {
        literals[21] = i32(f64(nan));
        params[21] = i32(p21);
        mixed[21] = i32(a[i]);
    }
    if i == 22 {
        literals[22] = i32(f64(9007199254740991.0));
        params[22] = i32(p22);
        mixed[22] = i32(f64(9007199254740991.0));
    }
    if i == 23 {
        literals[23] = i32(f64(1e-40));
        params[23] = i32(p23);
        mixed[23] = i32(a[i]);
    }
}
