// floor, ceil, trunc, round (ties to even, as WGSL has it) and sqrt.
// Rows: floor(A), ceil(A), trunc(A), round(A), sqrt(A).
// The same operands loaded, as literals, as params, and mixed.
//! args --in a=0.0,-0.0,0.5,-0.5,1.5,2.5,-1.5,-2.5,0.4999999701976776,3.700000047683716,-3.700000047683716,4194304.5,16777216.0,inf,-inf,nan,1.401298464324817e-45,-1.401298464324817e-45,0.0,-0.0,1.0,-1.0,1.0000001192092896,0.9999999403953552,1.401298464324817e-45,-1.401298464324817e-45,1.1754943508222875e-38,1.1754942106924411e-38,3.4028234663852886e+38,-3.4028234663852886e+38,inf,-inf,nan,3.0,0.3333333432674408,-0.10000000149011612,4194304.5,16777218.0,5.960464477539063e-08 --in b=0.0,-0.0,0.5,-0.5,1.5,2.5,-1.5,-2.5,0.4999999701976776,3.700000047683716,-3.700000047683716,4194304.5,16777216.0,inf,-inf,nan,1.401298464324817e-45,-1.401298464324817e-45,0.0,-0.0,1.0,-1.0,1.0000001192092896,0.9999999403953552,1.401298464324817e-45,-1.401298464324817e-45,1.1754943508222875e-38,1.1754942106924411e-38,3.4028234663852886e+38,-3.4028234663852886e+38,inf,-inf,nan,3.0,0.3333333432674408,-0.10000000149011612,4194304.5,16777218.0,5.960464477539063e-08 --set p0=0.0 --set q0=0.0 --set p1=-0.0 --set q1=-0.0 --set p2=0.5 --set q2=0.5 --set p3=-0.5 --set q3=-0.5 --set p4=1.5 --set q4=1.5 --set p5=2.5 --set q5=2.5 --set p6=-1.5 --set q6=-1.5 --set p7=-2.5 --set q7=-2.5 --set p8=0.4999999701976776 --set q8=0.4999999701976776 --set p9=3.700000047683716 --set q9=3.700000047683716 --set p10=-3.700000047683716 --set q10=-3.700000047683716 --set p11=4194304.5 --set q11=4194304.5 --set p12=16777216.0 --set q12=16777216.0 --set p13=inf --set q13=inf --set p14=-inf --set q14=-inf --set p15=nan --set q15=nan --set p16=1.401298464324817e-45 --set q16=1.401298464324817e-45 --set p17=-1.401298464324817e-45 --set q17=-1.401298464324817e-45 --set p18=0.0 --set q18=0.0 --set p19=-0.0 --set q19=-0.0 --set p20=1.0 --set q20=1.0 --set p21=-1.0 --set q21=-1.0 --set p22=1.0000001192092896 --set q22=1.0000001192092896 --set p23=0.9999999403953552 --set q23=0.9999999403953552 --set p24=1.401298464324817e-45 --set q24=1.401298464324817e-45 --set p25=-1.401298464324817e-45 --set q25=-1.401298464324817e-45 --set p26=1.1754943508222875e-38 --set q26=1.1754943508222875e-38 --set p27=1.1754942106924411e-38 --set q27=1.1754942106924411e-38 --set p28=3.4028234663852886e+38 --set q28=3.4028234663852886e+38 --set p29=-3.4028234663852886e+38 --set q29=-3.4028234663852886e+38 --set p30=inf --set q30=inf --set p31=-inf --set q31=-inf --set p32=nan --set q32=nan --set p33=3.0 --set q33=3.0 --set p34=0.3333333432674408 --set q34=0.3333333432674408 --set p35=-0.10000000149011612 --set q35=-0.10000000149011612 --set p36=4194304.5 --set q36=4194304.5 --set p37=16777218.0 --set q37=16777218.0 --set p38=5.960464477539063e-08 --set q38=5.960464477539063e-08
//! out loaded: 0 2147483648 0 3212836864 1065353216 1073741824 3221225472 3225419776 0 1077936128 3229614080 1249902592 1266679808 2139095040 4286578688 2143289344 0 3212836864 0 2147483648 1065353216 3212836864 1065353216 0 0 3212836864 0 0 2139095039 4286578687 2139095040 4286578688 2143289344 1077936128 0 3212836864 1249902592 1266679809 0 0 2147483648 1065353216 2147483648 1073741824 1077936128 3212836864 3221225472 1065353216 1082130432 3225419776 1249902594 1266679808 2139095040 4286578688 2143289344 1065353216 2147483648 0 2147483648 1065353216 3212836864 1073741824 1065353216 1065353216 2147483648 1065353216 1065353216 2139095039 4286578687 2139095040 4286578688 2143289344 1077936128 1065353216 2147483648 1249902594 1266679809 1065353216 0 2147483648 0 2147483648 1065353216 1073741824 3212836864 3221225472 0 1077936128 3225419776 1249902592 1266679808 2139095040 4286578688 2143289344 0 2147483648 0 2147483648 1065353216 3212836864 1065353216 0 0 2147483648 0 0 2139095039 4286578687 2139095040 4286578688 2143289344 1077936128 0 2147483648 1249902592 1266679809 0 0 2147483648 0 2147483648 1073741824 1073741824 3221225472 3221225472 0 1082130432 3229614080 1249902592 1266679808 2139095040 4286578688 2143289344 0 2147483648 0 2147483648 1065353216 3212836864 1065353216 1065353216 0 2147483648 0 0 2139095039 4286578687 2139095040 4286578688 2143289344 1077936128 0 2147483648 1249902592 1266679809 0 0 2147483648 1060439283 2143289344 1067238513 1070228162 2143289344 2143289344 1060439283 1073100418 2143289344 1157627904 1166016512 2139095040 2143289344 2143289344 439682291 2143289344 0 2147483648 1065353216 2143289344 1065353216 1065353215 439682291 2143289344 536870912 536870911 1602224127 2143289344 2139095040 2143289344 2143289344 1071494103 1058262330 2143289344 1157627904 1166016512 964689920
//! out literals: 0 2147483648 0 3212836864 1065353216 1073741824 3221225472 3225419776 0 1077936128 3229614080 1249902592 1266679808 2139095040 4286578688 2143289344 0 3212836864 0 2147483648 1065353216 3212836864 1065353216 0 0 3212836864 0 0 2139095039 4286578687 2139095040 4286578688 2143289344 1077936128 0 3212836864 1249902592 1266679809 0 0 2147483648 1065353216 2147483648 1073741824 1077936128 3212836864 3221225472 1065353216 1082130432 3225419776 1249902594 1266679808 2139095040 4286578688 2143289344 1065353216 2147483648 0 2147483648 1065353216 3212836864 1073741824 1065353216 1065353216 2147483648 1065353216 1065353216 2139095039 4286578687 2139095040 4286578688 2143289344 1077936128 1065353216 2147483648 1249902594 1266679809 1065353216 0 2147483648 0 2147483648 1065353216 1073741824 3212836864 3221225472 0 1077936128 3225419776 1249902592 1266679808 2139095040 4286578688 2143289344 0 2147483648 0 2147483648 1065353216 3212836864 1065353216 0 0 2147483648 0 0 2139095039 4286578687 2139095040 4286578688 2143289344 1077936128 0 2147483648 1249902592 1266679809 0 0 2147483648 0 2147483648 1073741824 1073741824 3221225472 3221225472 0 1082130432 3229614080 1249902592 1266679808 2139095040 4286578688 2143289344 0 2147483648 0 2147483648 1065353216 3212836864 1065353216 1065353216 0 2147483648 0 0 2139095039 4286578687 2139095040 4286578688 2143289344 1077936128 0 2147483648 1249902592 1266679809 0 0 2147483648 1060439283 2143289344 1067238513 1070228162 2143289344 2143289344 1060439283 1073100418 2143289344 1157627904 1166016512 2139095040 2143289344 2143289344 439682291 2143289344 0 2147483648 1065353216 2143289344 1065353216 1065353215 439682291 2143289344 536870912 536870911 1602224127 2143289344 2139095040 2143289344 2143289344 1071494103 1058262330 2143289344 1157627904 1166016512 964689920
//! out params: 0 2147483648 0 3212836864 1065353216 1073741824 3221225472 3225419776 0 1077936128 3229614080 1249902592 1266679808 2139095040 4286578688 2143289344 0 3212836864 0 2147483648 1065353216 3212836864 1065353216 0 0 3212836864 0 0 2139095039 4286578687 2139095040 4286578688 2143289344 1077936128 0 3212836864 1249902592 1266679809 0 0 2147483648 1065353216 2147483648 1073741824 1077936128 3212836864 3221225472 1065353216 1082130432 3225419776 1249902594 1266679808 2139095040 4286578688 2143289344 1065353216 2147483648 0 2147483648 1065353216 3212836864 1073741824 1065353216 1065353216 2147483648 1065353216 1065353216 2139095039 4286578687 2139095040 4286578688 2143289344 1077936128 1065353216 2147483648 1249902594 1266679809 1065353216 0 2147483648 0 2147483648 1065353216 1073741824 3212836864 3221225472 0 1077936128 3225419776 1249902592 1266679808 2139095040 4286578688 2143289344 0 2147483648 0 2147483648 1065353216 3212836864 1065353216 0 0 2147483648 0 0 2139095039 4286578687 2139095040 4286578688 2143289344 1077936128 0 2147483648 1249902592 1266679809 0 0 2147483648 0 2147483648 1073741824 1073741824 3221225472 3221225472 0 1082130432 3229614080 1249902592 1266679808 2139095040 4286578688 2143289344 0 2147483648 0 2147483648 1065353216 3212836864 1065353216 1065353216 0 2147483648 0 0 2139095039 4286578687 2139095040 4286578688 2143289344 1077936128 0 2147483648 1249902592 1266679809 0 0 2147483648 1060439283 2143289344 1067238513 1070228162 2143289344 2143289344 1060439283 1073100418 2143289344 1157627904 1166016512 2139095040 2143289344 2143289344 439682291 2143289344 0 2147483648 1065353216 2143289344 1065353216 1065353215 439682291 2143289344 536870912 536870911 1602224127 2143289344 2139095040 2143289344 2143289344 1071494103 1058262330 2143289344 1157627904 1166016512 964689920
//! out mixed: 0 2147483648 0 3212836864 1065353216 1073741824 3221225472 3225419776 0 1077936128 3229614080 1249902592 1266679808 2139095040 4286578688 2143289344 0 3212836864 0 2147483648 1065353216 3212836864 1065353216 0 0 3212836864 0 0 2139095039 4286578687 2139095040 4286578688 2143289344 1077936128 0 3212836864 1249902592 1266679809 0 0 2147483648 1065353216 2147483648 1073741824 1077936128 3212836864 3221225472 1065353216 1082130432 3225419776 1249902594 1266679808 2139095040 4286578688 2143289344 1065353216 2147483648 0 2147483648 1065353216 3212836864 1073741824 1065353216 1065353216 2147483648 1065353216 1065353216 2139095039 4286578687 2139095040 4286578688 2143289344 1077936128 1065353216 2147483648 1249902594 1266679809 1065353216 0 2147483648 0 2147483648 1065353216 1073741824 3212836864 3221225472 0 1077936128 3225419776 1249902592 1266679808 2139095040 4286578688 2143289344 0 2147483648 0 2147483648 1065353216 3212836864 1065353216 0 0 2147483648 0 0 2139095039 4286578687 2139095040 4286578688 2143289344 1077936128 0 2147483648 1249902592 1266679809 0 0 2147483648 0 2147483648 1073741824 1073741824 3221225472 3221225472 0 1082130432 3229614080 1249902592 1266679808 2139095040 4286578688 2143289344 0 2147483648 0 2147483648 1065353216 3212836864 1065353216 1065353216 0 2147483648 0 0 2139095039 4286578687 2139095040 4286578688 2143289344 1077936128 0 2147483648 1249902592 1266679809 0 0 2147483648 1060439283 2143289344 1067238513 1070228162 2143289344 2143289344 1060439283 1073100418 2143289344 1157627904 1166016512 2139095040 2143289344 2143289344 439682291 2143289344 0 2147483648 1065353216 2143289344 1065353216 1065353215 439682291 2143289344 536870912 536870911 1602224127 2143289344 2139095040 2143289344 2143289344 1071494103 1058262330 2143289344 1157627904 1166016512 964689920
//! order-free yes
program rule_float_whole_f32;

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
param f32 p21;
param f32 q21;
param f32 p22;
param f32 q22;
param f32 p23;
param f32 q23;
param f32 p24;
param f32 q24;
param f32 p25;
param f32 q25;
param f32 p26;
param f32 q26;
param f32 p27;
param f32 q27;
param f32 p28;
param f32 q28;
param f32 p29;
param f32 q29;
param f32 p30;
param f32 q30;
param f32 p31;
param f32 q31;
param f32 p32;
param f32 q32;
param f32 p33;
param f32 q33;
param f32 p34;
param f32 q34;
param f32 p35;
param f32 q35;
param f32 p36;
param f32 q36;
param f32 p37;
param f32 q37;
param f32 p38;
param f32 q38;
in  f32 a[39];
in  f32 b[39];
out u32 loaded[195];
out u32 literals[195];
out u32 params[195];
out u32 mixed[195];

kernel (39) workgroup(4) {
    let i = gid.x;
    loaded[0 + i] = bitcast<u32>(floor(a[i]));
    loaded[39 + i] = bitcast<u32>(ceil(a[i]));
    loaded[78 + i] = bitcast<u32>(trunc(a[i]));
    loaded[117 + i] = bitcast<u32>(round(a[i]));
    loaded[156 + i] = bitcast<u32>(sqrt(a[i]));
    if i == 0 {
        literals[0] = bitcast<u32>(floor(f32(0.0)));
        params[0] = bitcast<u32>(floor(p0));
        mixed[0] = bitcast<u32>(floor(f32(0.0)));
        literals[39] = bitcast<u32>(ceil(f32(0.0)));
        params[39] = bitcast<u32>(ceil(p0));
        mixed[39] = bitcast<u32>(ceil(a[i]));
        literals[78] = bitcast<u32>(trunc(f32(0.0)));
        params[78] = bitcast<u32>(trunc(p0));
        mixed[78] = bitcast<u32>(trunc(f32(0.0)));
        literals[117] = bitcast<u32>(round(f32(0.0)));
        params[117] = bitcast<u32>(round(p0));
        mixed[117] = bitcast<u32>(round(a[i]));
        literals[156] = bitcast<u32>(sqrt(f32(0.0)));
        params[156] = bitcast<u32>(sqrt(p0));
        mixed[156] = bitcast<u32>(sqrt(f32(0.0)));
    }
    if i == 1 {
        literals[1] = bitcast<u32>(floor((-f32(0.0))));
        params[1] = bitcast<u32>(floor(p1));
        mixed[1] = bitcast<u32>(floor(a[i]));
        literals[40] = bitcast<u32>(ceil((-f32(0.0))));
        params[40] = bitcast<u32>(ceil(p1));
        mixed[40] = bitcast<u32>(ceil((-f32(0.0))));
        literals[79] = bitcast<u32>(trunc((-f32(0.0))));
        params[79] = bitcast<u32>(trunc(p1));
        mixed[79] = bitcast<u32>(trunc(a[i]));
        literals[118] = bitcast<u32>(round((-f32(0.0))));
        params[118] = bitcast<u32>(round(p1));
        mixed[118] = bitcast<u32>(round((-f32(0.0))));
        literals[157] = bitcast<u32>(sqrt((-f32(0.0))));
        params[157] = bitcast<u32>(sqrt(p1));
        mixed[157] = bitcast<u32>(sqrt(a[i]));
    }
    if i == 2 {
        literals[2] = bitcast<u32>(floor(f32(0.5)));
        params[2] = bitcast<u32>(floor(p2));
        mixed[2] = bitcast<u32>(floor(f32(0.5)));
        literals[41] = bitcast<u32>(ceil(f32(0.5)));
        params[41] = bitcast<u32>(ceil(p2));
        mixed[41] = bitcast<u32>(ceil(a[i]));
        literals[80] = bitcast<u32>(trunc(f32(0.5)));
        params[80] = bitcast<u32>(trunc(p2));
        mixed[80] = bitcast<u32>(trunc(f32(0.5)));
        literals[119] = bitcast<u32>(round(f32(0.5)));
        params[119] = bitcast<u32>(round(p2));
        mixed[119] = bitcast<u32>(round(a[i]));
        literals[158] = bitcast<u32>(sqrt(f32(0.5)));
        params[158] = bitcast<u32>(sqrt(p2));
        mixed[158] = bitcast<u32>(sqrt(f32(0.5)));
    }
    if i == 3 {
        literals[3] = bitcast<u32>(floor((-f32(0.5))));
        params[3] = bitcast<u32>(floor(p3));
        mixed[3] = bitcast<u32>(floor(a[i]));
        literals[42] = bitcast<u32>(ceil((-f32(0.5))));
        params[42] = bitcast<u32>(ceil(p3));
        mixed[42] = bitcast<u32>(ceil((-f32(0.5))));
        literals[81] = bitcast<u32>(trunc((-f32(0.5))));
        params[81] = bitcast<u32>(trunc(p3));
        mixed[81] = bitcast<u32>(trunc(a[i]));
        literals[120] = bitcast<u32>(round((-f32(0.5))));
        params[120] = bitcast<u32>(round(p3));
        mixed[120] = bitcast<u32>(round((-f32(0.5))));
        literals[159] = bitcast<u32>(sqrt((-f32(0.5))));
        params[159] = bitcast<u32>(sqrt(p3));
        mixed[159] = bitcast<u32>(sqrt(a[i]));
    }
    if i == 4 {
        literals[4] = bitcast<u32>(floor(f32(1.5)));
        params[4] = bitcast<u32>(floor(p4));
        mixed[4] = bitcast<u32>(floor(f32(1.5)));
        literals[43] = bitcast<u32>(ceil(f32(1.5)));
        params[43] = bitcast<u32>(ceil(p4));
        mixed[43] = bitcast<u32>(ceil(a[i]));
        literals[82] = bitcast<u32>(trunc(f32(1.5)));
        params[82] = bitcast<u32>(trunc(p4));
        mixed[82] = bitcast<u32>(trunc(f32(1.5)));
        literals[121] = bitcast<u32>(round(f32(1.5)));
        params[121] = bitcast<u32>(round(p4));
        mixed[121] = bitcast<u32>(round(a[i]));
        literals[160] = bitcast<u32>(sqrt(f32(1.5)));
        params[160] = bitcast<u32>(sqrt(p4));
        mixed[160] = bitcast<u32>(sqrt(f32(1.5)));
    }
    if i == 5 {
        literals[5] = bitcast<u32>(floor(f32(2.5)));
        params[5] = bitcast<u32>(floor(p5));
        mixed[5] = bitcast<u32>(floor(a[i]));
        literals[44] = bitcast<u32>(ceil(f32(2.5)));
        params[44] = bitcast<u32>(ceil(p5));
        mixed[44] = bitcast<u32>(ceil(f32(2.5)));
        literals[83] = bitcast<u32>(trunc(f32(2.5)));
        params[83] = bitcast<u32>(trunc(p5));
        mixed[83] = bitcast<u32>(trunc(a[i]));
        literals[122] = bitcast<u32>(round(f32(2.5)));
        params[122] = bitcast<u32>(round(p5));
        mixed[122] = bitcast<u32>(round(f32(2.5)));
        literals[161] = bitcast<u32>(sqrt(f32(2.5)));
        params[161] = bitcast<u32>(sqrt(p5));
        mixed[161] = bitcast<u32>(sqrt(a[i]));
    }
    if i == 6 {
        literals[6] = bitcast<u32>(floor((-f32(1.5))));
        params[6] = bitcast<u32>(floor(p6));
        mixed[6] = bitcast<u32>(floor((-f32(1.5))));
        literals[45] = bitcast<u32>(ceil((-f32(1.5))));
        params[45] = bitcast<u32>(ceil(p6));
        mixed[45] = bitcast<u32>(ceil(a[i]));
        literals[84] = bitcast<u32>(trunc((-f32(1.5))));
        params[84] = bitcast<u32>(trunc(p6));
        mixed[84] = bitcast<u32>(trunc((-f32(1.5))));
        literals[123] = bitcast<u32>(round((-f32(1.5))));
        params[123] = bitcast<u32>(round(p6));
        mixed[123] = bitcast<u32>(round(a[i]));
        literals[162] = bitcast<u32>(sqrt((-f32(1.5))));
        params[162] = bitcast<u32>(sqrt(p6));
        mixed[162] = bitcast<u32>(sqrt((-f32(1.5))));
    }
    if i == 7 {
        literals[7] = bitcast<u32>(floor((-f32(2.5))));
        params[7] = bitcast<u32>(floor(p7));
        mixed[7] = bitcast<u32>(floor(a[i]));
        literals[46] = bitcast<u32>(ceil((-f32(2.5))));
        params[46] = bitcast<u32>(ceil(p7));
        mixed[46] = bitcast<u32>(ceil((-f32(2.5))));
        literals[85] = bitcast<u32>(trunc((-f32(2.5))));
        params[85] = bitcast<u32>(trunc(p7));
        mixed[85] = bitcast<u32>(trunc(a[i]));
        literals[124] = bitcast<u32>(round((-f32(2.5))));
        params[124] = bitcast<u32>(round(p7));
        mixed[124] = bitcast<u32>(round((-f32(2.5))));
        literals[163] = bitcast<u32>(sqrt((-f32(2.5))));
        params[163] = bitcast<u32>(sqrt(p7));
        mixed[163] = bitcast<u32>(sqrt(a[i]));
    }
    if i == 8 {
        literals[8] = bitcast<u32>(floor(f32(0.4999999701976776)));
        params[8] = bitcast<u32>(floor(p8));
        mixed[8] = bitcast<u32>(floor(f32(0.4999999701976776)));
        literals[47] = bitcast<u32>(ceil(f32(0.4999999701976776)));
        params[47] = bitcast<u32>(ceil(p8));
        mixed[47] = bitcast<u32>(ceil(a[i]));
        literals[86] = bitcast<u32>(trunc(f32(0.4999999701976776)));
        params[86] = bitcast<u32>(trunc(p8));
        mixed[86] = bitcast<u32>(trunc(f32(0.4999999701976776)));
        literals[125] = bitcast<u32>(round(f32(0.4999999701976776)));
        params[125] = bitcast<u32>(round(p8));
        mixed[125] = bitcast<u32>(round(a[i]));
        literals[164] = bitcast<u32>(sqrt(f32(0.4999999701976776)));
        params[164] = bitcast<u32>(sqrt(p8));
        mixed[164] = bitcast<u32>(sqrt(f32(0.4999999701976776)));
    }
    if i == 9 {
        literals[9] = bitcast<u32>(floor(f32(3.700000047683716)));
        params[9] = bitcast<u32>(floor(p9));
        mixed[9] = bitcast<u32>(floor(a[i]));
        literals[48] = bitcast<u32>(ceil(f32(3.700000047683716)));
        params[48] = bitcast<u32>(ceil(p9));
        mixed[48] = bitcast<u32>(ceil(f32(3.700000047683716)));
        literals[87] = bitcast<u32>(trunc(f32(3.700000047683716)));
        params[87] = bitcast<u32>(trunc(p9));
        mixed[87] = bitcast<u32>(trunc(a[i]));
        literals[126] = bitcast<u32>(round(f32(3.700000047683716)));
        params[126] = bitcast<u32>(round(p9));
        mixed[126] = bitcast<u32>(round(f32(3.700000047683716)));
        literals[165] = bitcast<u32>(sqrt(f32(3.700000047683716)));
        params[165] = bitcast<u32>(sqrt(p9));
        mixed[165] = bitcast<u32>(sqrt(a[i]));
    }
    if i == 10 {
        literals[10] = bitcast<u32>(floor((-f32(3.700000047683716))));
        params[10] = bitcast<u32>(floor(p10));
        mixed[10] = bitcast<u32>(floor((-f32(3.700000047683716))));
        literals[49] = bitcast<u32>(ceil((-f32(3.700000047683716))));
        params[49] = bitcast<u32>(ceil(p10));
        mixed[49] = bitcast<u32>(ceil(a[i]));
        literals[88] = bitcast<u32>(trunc((-f32(3.700000047683716))));
        params[88] = bitcast<u32>(trunc(p10));
        mixed[88] = bitcast<u32>(trunc((-f32(3.700000047683716))));
        literals[127] = bitcast<u32>(round((-f32(3.700000047683716))));
        params[127] = bitcast<u32>(round(p10));
        mixed[127] = bitcast<u32>(round(a[i]));
        literals[166] = bitcast<u32>(sqrt((-f32(3.700000047683716))));
        params[166] = bitcast<u32>(sqrt(p10));
        mixed[166] = bitcast<u32>(sqrt((-f32(3.700000047683716))));
    }
    if i == 11 {
        literals[11] = bitcast<u32>(floor(f32(4194304.5)));
        params[11] = bitcast<u32>(floor(p11));
        mixed[11] = bitcast<u32>(floor(a[i]));
        literals[50] = bitcast<u32>(ceil(f32(4194304.5)));
        params[50] = bitcast<u32>(ceil(p11));
        mixed[50] = bitcast<u32>(ceil(f32(4194304.5)));
        literals[89] = bitcast<u32>(trunc(f32(4194304.5)));
        params[89] = bitcast<u32>(trunc(p11));
        mixed[89] = bitcast<u32>(trunc(a[i]));
        literals[128] = bitcast<u32>(round(f32(4194304.5)));
        params[128] = bitcast<u32>(round(p11));
        mixed[128] = bitcast<u32>(round(f32(4194304.5)));
        literals[167] = bitcast<u32>(sqrt(f32(4194304.5)));
        params[167] = bitcast<u32>(sqrt(p11));
        mixed[167] = bitcast<u32>(sqrt(a[i]));
    }
    if i == 12 {
        literals[12] = bitcast<u32>(floor(f32(16777216.0)));
        params[12] = bitcast<u32>(floor(p12));
        mixed[12] = bitcast<u32>(floor(f32(16777216.0)));
        literals[51] = bitcast<u32>(ceil(f32(16777216.0)));
        params[51] = bitcast<u32>(ceil(p12));
        mixed[51] = bitcast<u32>(ceil(a[i]));
        literals[90] = bitcast<u32>(trunc(f32(16777216.0)));
        params[90] = bitcast<u32>(trunc(p12));
        mixed[90] = bitcast<u32>(trunc(f32(16777216.0)));
        literals[129] = bitcast<u32>(round(f32(16777216.0)));
        params[129] = bitcast<u32>(round(p12));
        mixed[129] = bitcast<u32>(round(a[i]));
        literals[168] = bitcast<u32>(sqrt(f32(16777216.0)));
        params[168] = bitcast<u32>(sqrt(p12));
        mixed[168] = bitcast<u32>(sqrt(f32(16777216.0)));
    }
    if i == 13 {
        literals[13] = bitcast<u32>(floor(f32(inf)));
        params[13] = bitcast<u32>(floor(p13));
        mixed[13] = bitcast<u32>(floor(a[i]));
        literals[52] = bitcast<u32>(ceil(f32(inf)));
        params[52] = bitcast<u32>(ceil(p13));
        mixed[52] = bitcast<u32>(ceil(f32(inf)));
        literals[91] = bitcast<u32>(trunc(f32(inf)));
        params[91] = bitcast<u32>(trunc(p13));
        mixed[91] = bitcast<u32>(trunc(a[i]));
        literals[130] = bitcast<u32>(round(f32(inf)));
        params[130] = bitcast<u32>(round(p13));
        mixed[130] = bitcast<u32>(round(f32(inf)));
        literals[169] = bitcast<u32>(sqrt(f32(inf)));
        params[169] = bitcast<u32>(sqrt(p13));
        mixed[169] = bitcast<u32>(sqrt(a[i]));
    }
    if i == 14 {
        literals[14] = bitcast<u32>(floor((-f32(inf))));
        params[14] = bitcast<u32>(floor(p14));
        mixed[14] = bitcast<u32>(floor((-f32(inf))));
        literals[53] = bitcast<u32>(ceil((-f32(inf))));
        params[53] = bitcast<u32>(ceil(p14));
        mixed[53] = bitcast<u32>(ceil(a[i]));
        literals[92] = bitcast<u32>(trunc((-f32(inf))));
        params[92] = bitcast<u32>(trunc(p14));
        mixed[92] = bitcast<u32>(trunc((-f32(inf))));
        literals[131] = bitcast<u32>(round((-f32(inf))));
        params[131] = bitcast<u32>(round(p14));
        mixed[131] = bitcast<u32>(round(a[i]));
        literals[170] = bitcast<u32>(sqrt((-f32(inf))));
        params[170] = bitcast<u32>(sqrt(p14));
        mixed[170] = bitcast<u32>(sqrt((-f32(inf))));
    }
    if i == 15 {
        literals[15] = bitcast<u32>(floor(f32(nan)));
        params[15] = bitcast<u32>(floor(p15));
        mixed[15] = bitcast<u32>(floor(a[i]));
        literals[54] = bitcast<u32>(ceil(f32(nan)));
        params[54] = bitcast<u32>(ceil(p15));
        mixed[54] = bitcast<u32>(ceil(f32(nan)));
        literals[93] = bitcast<u32>(trunc(f32(nan)));
        params[93] = bitcast<u32>(trunc(p15));
        mixed[93] = bitcast<u32>(trunc(a[i]));
        literals[132] = bitcast<u32>(round(f32(nan)));
        params[132] = bitcast<u32>(round(p15));
        mixed[132] = bitcast<u32>(round(f32(nan)));
        literals[171] = bitcast<u32>(sqrt(f32(nan)));
        params[171] = bitcast<u32>(sqrt(p15));
        mixed[171] = bitcast<u32>(sqrt(a[i]));
    }
    if i == 16 {
        literals[16] = bitcast<u32>(floor(f32(1.401298464324817e-45)));
        params[16] = bitcast<u32>(floor(p16));
        mixed[16] = bitcast<u32>(floor(f32(1.401298464324817e-45)));
        literals[55] = bitcast<u32>(ceil(f32(1.401298464324817e-45)));
        params[55] = bitcast<u32>(ceil(p16));
        mixed[55] = bitcast<u32>(ceil(a[i]));
        literals[94] = bitcast<u32>(trunc(f32(1.401298464324817e-45)));
        params[94] = bitcast<u32>(trunc(p16));
        mixed[94] = bitcast<u32>(trunc(f32(1.401298464324817e-45)));
        literals[133] = bitcast<u32>(round(f32(1.401298464324817e-45)));
        params[133] = bitcast<u32>(round(p16));
        mixed[133] = bitcast<u32>(round(a[i]));
        literals[172] = bitcast<u32>(sqrt(f32(1.401298464324817e-45)));
        params[172] = bitcast<u32>(sqrt(p16));
        mixed[172] = bitcast<u32>(sqrt(f32(1.401298464324817e-45)));
    }
    if i == 17 {
        literals[17] = bitcast<u32>(floor((-f32(1.401298464324817e-45))));
        params[17] = bitcast<u32>(floor(p17));
        mixed[17] = bitcast<u32>(floor(a[i]));
        literals[56] = bitcast<u32>(ceil((-f32(1.401298464324817e-45))));
        params[56] = bitcast<u32>(ceil(p17));
        mixed[56] = bitcast<u32>(ceil((-f32(1.401298464324817e-45))));
        literals[95] = bitcast<u32>(trunc((-f32(1.401298464324817e-45))));
        params[95] = bitcast<u32>(trunc(p17));
        mixed[95] = bitcast<u32>(trunc(a[i]));
        literals[134] = bitcast<u32>(round((-f32(1.401298464324817e-45))));
        params[134] = bitcast<u32>(round(p17));
        mixed[134] = bitcast<u32>(round((-f32(1.401298464324817e-45))));
        literals[173] = bitcast<u32>(sqrt((-f32(1.401298464324817e-45))));
        params[173] = bitcast<u32>(sqrt(p17));
        mixed[173] = bitcast<u32>(sqrt(a[i]));
    }
    if i == 18 {
        literals[18] = bitcast<u32>(floor(f32(0.0)));
        params[18] = bitcast<u32>(floor(p18));
        mixed[18] = bitcast<u32>(floor(f32(0.0)));
        literals[57] = bitcast<u32>(ceil(f32(0.0)));
        params[57] = bitcast<u32>(ceil(p18));
        mixed[57] = bitcast<u32>(ceil(a[i]));
        literals[96] = bitcast<u32>(trunc(f32(0.0)));
        params[96] = bitcast<u32>(trunc(p18));
        mixed[96] = bitcast<u32>(trunc(f32(0.0)));
        literals[135] = bitcast<u32>(round(f32(0.0)));
        params[135] = bitcast<u32>(round(p18));
        mixed[135] = bitcast<u32>(round(a[i]));
        literals[174] = bitcast<u32>(sqrt(f32(0.0)));
        params[174] = bitcast<u32>(sqrt(p18));
        mixed[174] = bitcast<u32>(sqrt(f32(0.0)));
    }
    if i == 19 {
        literals[19] = bitcast<u32>(floor((-f32(0.0))));
        params[19] = bitcast<u32>(floor(p19));
        mixed[19] = bitcast<u32>(floor(a[i]));
        literals[58] = bitcast<u32>(ceil((-f32(0.0))));
        params[58] = bitcast<u32>(ceil(p19));
        mixed[58] = bitcast<u32>(ceil((-f32(0.0))));
        literals[97] = bitcast<u32>(trunc((-f32(0.0))));
        params[97] = bitcast<u32>(trunc(p19));
        mixed[97] = bitcast<u32>(trunc(a[i]));
        literals[136] = bitcast<u32>(round((-f32(0.0))));
        params[136] = bitcast<u32>(round(p19));
        mixed[136] = bitcast<u32>(round((-f32(0.0))));
        literals[175] = bitcast<u32>(sqrt((-f32(0.0))));
        params[175] = bitcast<u32>(sqrt(p19));
        mixed[175] = bitcast<u32>(sqrt(a[i]));
    }
    if i == 20 {
        literals[20] = bitcast<u32>(floor(f32(1.0)));
        params[20] = bitcast<u32>(floor(p20));
        mixed[20] = bitcast<u32>(floor(f32(1.0)));
        literals[59] = bitcast<u32>(ceil(f32(1.0)));
        params[59] = bitcast<u32>(ceil(p20));
        mixed[59] = bitcast<u32>(ceil(a[i]));
        literals[98] = bitcast<u32>(trunc(f32(1.0)));
        params[98] = bitcast<u32>(trunc(p20));
        mixed[98] = bitcast<u32>(trunc(f32(1.0)));
        literals[137] = bitcast<u32>(round(f32(1.0)));
        params[137] = bitcast<u32>(round(p20));
        mixed[137] = bitcast<u32>(round(a[i]));
        literals[176] = bitcast<u32>(sqrt(f32(1.0)));
        params[176] = bitcast<u32>(sqrt(p20));
        mixed[176] = bitcast<u32>(sqrt(f32(1.0)));
    }
    if i == 21 {
        literals[21] = bitcast<u32>(floor((-f32(1.0))));
        params[21] = bitcast<u32>(floor(p21));
        mixed[21] = bitcast<u32>(floor(a[i]));
        literals[60] = bitcast<u32>(ceil((-f32(1.0))));
        params[60] = bitcast<u32>(ceil(p21));
        mixed[60] = bitcast<u32>(ceil((-f32(1.0))));
        literals[99] = bitcast<u32>(trunc((-f32(1.0))));
        params[99] = bitcast<u32>(trunc(p21));
        mixed[99] = bitcast<u32>(trunc(a[i]));
        literals[138] = bitcast<u32>(round((-f32(1.0))));
        params[138] = bitcast<u32>(round(p21));
        mixed[138] = bitcast<u32>(round((-f32(1.0))));
        literals[177] = bitcast<u32>(sqrt((-f32(1.0))));
        params[177] = bitcast<u32>(sqrt(p21));
        mixed[177] = bitcast<u32>(sqrt(a[i]));
    }
    if i == 22 {
        literals[22] = bitcast<u32>(floor(f32(1.0000001192092896)));
        params[22] = bitcast<u32>(floor(p22));
        mixed[22] = bitcast<u32>(floor(f32(1.0000001192092896)));
        literals[61] = bitcast<u32>(ceil(f32(1.0000001192092896)));
        params[61] = bitcast<u32>(ceil(p22));
        mixed[61] = bitcast<u32>(ceil(a[i]));
        literals[100] = bitcast<u32>(trunc(f32(1.0000001192092896)));
        params[100] = bitcast<u32>(trunc(p22));
        mixed[100] = bitcast<u32>(trunc(f32(1.0000001192092896)));
        literals[139] = bitcast<u32>(round(f32(1.0000001192092896)));
        params[139] = bitcast<u32>(round(p22));
        mixed[139] = bitcast<u32>(round(a[i]));
        literals[178] = bitcast<u32>(sqrt(f32(1.0000001192092896)));
        params[178] = bitcast<u32>(sqrt(p22));
        mixed[178] = bitcast<u32>(sqrt(f32(1.0000001192092896)));
    }
    if i == 23 {
        literals[23] = bitcast<u32>(floor(f32(0.9999999403953552)));
        params[23] = bitcast<u32>(floor(p23));
        mixed[23] = bitcast<u32>(floor(a[i]));
        literals[62] = bitcast<u32>(ceil(f32(0.9999999403953552)));
        params[62] = bitcast<u32>(ceil(p23));
        mixed[62] = bitcast<u32>(ceil(f32(0.9999999403953552)));
        literals[101] = bitcast<u32>(trunc(f32(0.9999999403953552)));
        params[101] = bitcast<u32>(trunc(p23));
        mixed[101] = bitcast<u32>(trunc(a[i]));
        literals[140] = bitcast<u32>(round(f32(0.9999999403953552)));
        params[140] = bitcast<u32>(round(p23));
        mixed[140] = bitcast<u32>(round(f32(0.9999999403953552)));
        literals[179] = bitcast<u32>(sqrt(f32(0.9999999403953552)));
        params[179] = bitcast<u32>(sqrt(p23));
        mixed[179] = bitcast<u32>(sqrt(a[i]));
    }
    if i == 24 {
        literals[24] = bitcast<u32>(floor(f32(1.401298464324817e-45)));
        params[24] = bitcast<u32>(floor(p24));
        mixed[24] = bitcast<u32>(floor(f32(1.401298464324817e-45)));
        literals[63] = bitcast<u32>(ceil(f32(1.401298464324817e-45)));
        params[63] = bitcast<u32>(ceil(p24));
        mixed[63] = bitcast<u32>(ceil(a[i]));
        literals[102] = bitcast<u32>(trunc(f32(1.401298464324817e-45)));
        params[102] = bitcast<u32>(trunc(p24));
        mixed[102] = bitcast<u32>(trunc(f32(1.401298464324817e-45)));
        literals[141] = bitcast<u32>(round(f32(1.401298464324817e-45)));
        params[141] = bitcast<u32>(round(p24));
        mixed[141] = bitcast<u32>(round(a[i]));
        literals[180] = bitcast<u32>(sqrt(f32(1.401298464324817e-45)));
        params[180] = bitcast<u32>(sqrt(p24));
        mixed[180] = bitcast<u32>(sqrt(f32(1.401298464324817e-45)));
    }
    if i == 25 {
        literals[25] = bitcast<u32>(floor((-f32(1.401298464324817e-45))));
        params[25] = bitcast<u32>(floor(p25));
        mixed[25] = bitcast<u32>(floor(a[i]));
        literals[64] = bitcast<u32>(ceil((-f32(1.401298464324817e-45))));
        params[64] = bitcast<u32>(ceil(p25));
        mixed[64] = bitcast<u32>(ceil((-f32(1.401298464324817e-45))));
        literals[103] = bitcast<u32>(trunc((-f32(1.401298464324817e-45))));
        params[103] = bitcast<u32>(trunc(p25));
        mixed[103] = bitcast<u32>(trunc(a[i]));
        literals[142] = bitcast<u32>(round((-f32(1.401298464324817e-45))));
        params[142] = bitcast<u32>(round(p25));
        mixed[142] = bitcast<u32>(round((-f32(1.401298464324817e-45))));
        literals[181] = bitcast<u32>(sqrt((-f32(1.401298464324817e-45))));
        params[181] = bitcast<u32>(sqrt(p25));
        mixed[181] = bitcast<u32>(sqrt(a[i]));
    }
    if i == 26 {
        literals[26] = bitcast<u32>(floor(f32(1.1754943508222875e-38)));
        params[26] = bitcast<u32>(floor(p26));
        mixed[26] = bitcast<u32>(floor(f32(1.1754943508222875e-38)));
        literals[65] = bitcast<u32>(ceil(f32(1.1754943508222875e-38)));
        params[65] = bitcast<u32>(ceil(p26));
        mixed[65] = bitcast<u32>(ceil(a[i]));
        literals[104] = bitcast<u32>(trunc(f32(1.1754943508222875e-38)));
        params[104] = bitcast<u32>(trunc(p26));
        mixed[104] = bitcast<u32>(trunc(f32(1.1754943508222875e-38)));
        literals[143] = bitcast<u32>(round(f32(1.1754943508222875e-38)));
        params[143] = bitcast<u32>(round(p26));
        mixed[143] = bitcast<u32>(round(a[i]));
        literals[182] = bitcast<u32>(sqrt(f32(1.1754943508222875e-38)));
        params[182] = bitcast<u32>(sqrt(p26));
        mixed[182] = bitcast<u32>(sqrt(f32(1.1754943508222875e-38)));
    }
    if i == 27 {
        literals[27] = bitcast<u32>(floor(f32(1.1754942106924411e-38)));
        params[27] = bitcast<u32>(floor(p27));
        mixed[27] = bitcast<u32>(floor(a[i]));
        literals[66] = bitcast<u32>(ceil(f32(1.1754942106924411e-38)));
        params[66] = bitcast<u32>(ceil(p27));
        mixed[66] = bitcast<u32>(ceil(f32(1.1754942106924411e-38)));
        literals[105] = bitcast<u32>(trunc(f32(1.1754942106924411e-38)));
        params[105] = bitcast<u32>(trunc(p27));
        mixed[105] = bitcast<u32>(trunc(a[i]));
        literals[144] = bitcast<u32>(round(f32(1.1754942106924411e-38)));
        params[144] = bitcast<u32>(round(p27));
        mixed[144] = bitcast<u32>(round(f32(1.1754942106924411e-38)));
        literals[183] = bitcast<u32>(sqrt(f32(1.1754942106924411e-38)));
        params[183] = bitcast<u32>(sqrt(p27));
        mixed[183] = bitcast<u32>(sqrt(a[i]));
    }
    if i == 28 {
        literals[28] = bitcast<u32>(floor(f32(3.4028234663852886e+38)));
        params[28] = bitcast<u32>(floor(p28));
        mixed[28] = bitcast<u32>(floor(f32(3.4028234663852886e+38)));
        literals[67] = bitcast<u32>(ceil(f32(3.4028234663852886e+38)));
        params[67] = bitcast<u32>(ceil(p28));
        mixed[67] = bitcast<u32>(ceil(a[i]));
        literals[106] = bitcast<u32>(trunc(f32(3.4028234663852886e+38)));
        params[106] = bitcast<u32>(trunc(p28));
        mixed[106] = bitcast<u32>(trunc(f32(3.4028234663852886e+38)));
        literals[145] = bitcast<u32>(round(f32(3.4028234663852886e+38)));
        params[145] = bitcast<u32>(round(p28));
        mixed[145] = bitcast<u32>(round(a[i]));
        literals[184] = bitcast<u32>(sqrt(f32(3.4028234663852886e+38)));
        params[184] = bitcast<u32>(sqrt(p28));
        mixed[184] = bitcast<u32>(sqrt(f32(3.4028234663852886e+38)));
    }
    if i == 29 {
        literals[29] = bitcast<u32>(floor((-f32(3.4028234663852886e+38))));
        params[29] = bitcast<u32>(floor(p29));
        mixed[29] = bitcast<u32>(floor(a[i]));
        literals[68] = bitcast<u32>(ceil((-f32(3.4028234663852886e+38))));
        params[68] = bitcast<u32>(ceil(p29));
        mixed[68] = bitcast<u32>(ceil((-f32(3.4028234663852886e+38))));
        literals[107] = bitcast<u32>(trunc((-f32(3.4028234663852886e+38))));
        params[107] = bitcast<u32>(trunc(p29));
        mixed[107] = bitcast<u32>(trunc(a[i]));
        literals[146] = bitcast<u32>(round((-f32(3.4028234663852886e+38))));
        params[146] = bitcast<u32>(round(p29));
        mixed[146] = bitcast<u32>(round((-f32(3.4028234663852886e+38))));
        literals[185] = bitcast<u32>(sqrt((-f32(3.4028234663852886e+38))));
        params[185] = bitcast<u32>(sqrt(p29));
        mixed[185] = bitcast<u32>(sqrt(a[i]));
    }
    if i == 30 {
        literals[30] = bitcast<u32>(floor(f32(inf)));
        params[30] = bitcast<u32>(floor(p30));
        mixed[30] = bitcast<u32>(floor(f32(inf)));
        literals[69] = bitcast<u32>(ceil(f32(inf)));
        params[69] = bitcast<u32>(ceil(p30));
        mixed[69] = bitcast<u32>(ceil(a[i]));
        literals[108] = bitcast<u32>(trunc(f32(inf)));
        params[108] = bitcast<u32>(trunc(p30));
        mixed[108] = bitcast<u32>(trunc(f32(inf)));
        literals[147] = bitcast<u32>(round(f32(inf)));
        params[147] = bitcast<u32>(round(p30));
        mixed[147] = bitcast<u32>(round(a[i]));
        literals[186] = bitcast<u32>(sqrt(f32(inf)));
        params[186] = bitcast<u32>(sqrt(p30));
        mixed[186] = bitcast<u32>(sqrt(f32(inf)));
    }
    if i == 31 {
        literals[31] = bitcast<u32>(floor((-f32(inf))));
        params[31] = bitcast<u32>(floor(p31));
        mixed[31] = bitcast<u32>(floor(a[i]));
        literals[70] = bitcast<u32>(ceil((-f32(inf))));
        params[70] = bitcast<u32>(ceil(p31));
        mixed[70] = bitcast<u32>(ceil((-f32(inf))));
        literals[109] = bitcast<u32>(trunc((-f32(inf))));
        params[109] = bitcast<u32>(trunc(p31));
        mixed[109] = bitcast<u32>(trunc(a[i]));
        literals[148] = bitcast<u32>(round((-f32(inf))));
        params[148] = bitcast<u32>(round(p31));
        mixed[148] = bitcast<u32>(round((-f32(inf))));
        literals[187] = bitcast<u32>(sqrt((-f32(inf))));
        params[187] = bitcast<u32>(sqrt(p31));
        mixed[187] = bitcast<u32>(sqrt(a[i]));
    }
    if i == 32 {
        literals[32] = bitcast<u32>(floor(f32(nan)));
        params[32] = bitcast<u32>(floor(p32));
        mixed[32] = bitcast<u32>(floor(f32(nan)));
        literals[71] = bitcast<u32>(ceil(f32(nan)));
        params[71] = bitcast<u32>(ceil(p32));
        mixed[71] = bitcast<u32>(ceil(a[i]));
        literals[110] = bitcast<u32>(trunc(f32(nan)));
        params[110] = bitcast<u32>(trunc(p32));
        mixed[110] = bitcast<u32>(trunc(f32(nan)));
        literals[149] = bitcast<u32>(round(f32(nan)));
        params[149] = bitcast<u32>(round(p32));
        mixed[149] = bitcast<u32>(round(a[i]));
        literals[188] = bitcast<u32>(sqrt(f32(nan)));
        params[188] = bitcast<u32>(sqrt(p32));
        mixed[188] = bitcast<u32>(sqrt(f32(nan)));
    }
    if i == 33 {
        literals[33] = bitcast<u32>(floor(f32(3.0)));
        params[33] = bitcast<u32>(floor(p33));
        mixed[33] = bitcast<u32>(floor(a[i]));
        literals[72] = bitcast<u32>(ceil(f32(3.0)));
        params[72] = bitcast<u32>(ceil(p33));
        mixed[72] = bitcast<u32>(ceil(f32(3.0)));
        literals[111] = bitcast<u32>(trunc(f32(3.0)));
        params[111] = bitcast<u32>(trunc(p33));
        mixed[111] = bitcast<u32>(trunc(a[i]));
        literals[150] = bitcast<u32>(round(f32(3.0)));
        params[150] = bitcast<u32>(round(p33));
        mixed[150] = bitcast<u32>(round(f32(3.0)));
        literals[189] = bitcast<u32>(sqrt(f32(3.0)));
        params[189] = bitcast<u32>(sqrt(p33));
        mixed[189] = bitcast<u32>(sqrt(a[i]));
    }
    if i == 34 {
        literals[34] = bitcast<u32>(floor(f32(0.3333333432674408)));
        params[34] = bitcast<u32>(floor(p34));
        mixed[34] = bitcast<u32>(floor(f32(0.3333333432674408)));
        literals[73] = bitcast<u32>(ceil(f32(0.3333333432674408)));
        params[73] = bitcast<u32>(ceil(p34));
        mixed[73] = bitcast<u32>(ceil(a[i]));
        literals[112] = bitcast<u32>(trunc(f32(0.3333333432674408)));
        params[112] = bitcast<u32>(trunc(p34));
        mixed[112] = bitcast<u32>(trunc(f32(0.3333333432674408)));
        literals[151] = bitcast<u32>(round(f32(0.3333333432674408)));
        params[151] = bitcast<u32>(round(p34));
        mixed[151] = bitcast<u32>(round(a[i]));
        literals[190] = bitcast<u32>(sqrt(f32(0.3333333432674408)));
        params[190] = bitcast<u32>(sqrt(p34));
        mixed[190] = bitcast<u32>(sqrt(f32(0.3333333432674408)));
    }
    if i == 35 {
        literals[35] = bitcast<u32>(floor((-f32(0.10000000149011612))));
        params[35] = bitcast<u32>(floor(p35));
        mixed[35] = bitcast<u32>(floor(a[i]));
        literals[74] = bitcast<u32>(ceil((-f32(0.10000000149011612))));
        params[74] = bitcast<u32>(ceil(p35));
        mixed[74] = bitcast<u32>(ceil((-f32(0.10000000149011612))));
        literals[113] = bitcast<u32>(trunc((-f32(0.10000000149011612))));
        params[113] = bitcast<u32>(trunc(p35));
        mixed[113] = bitcast<u32>(trunc(a[i]));
        literals[152] = bitcast<u32>(round((-f32(0.10000000149011612))));
        params[152] = bitcast<u32>(round(p35));
        mixed[152] = bitcast<u32>(round((-f32(0.10000000149011612))));
        literals[191] = bitcast<u32>(sqrt((-f32(0.10000000149011612))));
        params[191] = bitcast<u32>(sqrt(p35));
        mixed[191] = bitcast<u32>(sqrt(a[i]));
    }
    if i == 36 {
        literals[36] = bitcast<u32>(floor(f32(4194304.5)));
        params[36] = bitcast<u32>(floor(p36));
        mixed[36] = bitcast<u32>(floor(f32(4194304.5)));
        literals[75] = bitcast<u32>(ceil(f32(4194304.5)));
        params[75] = bitcast<u32>(ceil(p36));
        mixed[75] = bitcast<u32>(ceil(a[i]));
        literals[114] = bitcast<u32>(trunc(f32(4194304.5)));
        params[114] = bitcast<u32>(trunc(p36));
        mixed[114] = bitcast<u32>(trunc(f32(4194304.5)));
        literals[153] = bitcast<u32>(round(f32(4194304.5)));
        params[153] = bitcast<u32>(round(p36));
        mixed[153] = bitcast<u32>(round(a[i]));
        literals[192] = bitcast<u32>(sqrt(f32(4194304.5)));
        params[192] = bitcast<u32>(sqrt(p36));
        mixed[192] = bitcast<u32>(sqrt(f32(4194304.5)));
    }
    if i == 37 {
        literals[37] = bitcast<u32>(floor(f32(16777218.0)));
        params[37] = bitcast<u32>(floor(p37));
        mixed[37] = bitcast<u32>(floor(a[i]));
        literals[76] = bitcast<u32>(ceil(f32(16777218.0)));
        params[76] = bitcast<u32>(ceil(p37));
        mixed[76] = bitcast<u32>(ceil(f32(16777218.0)));
        literals[115] = bitcast<u32>(trunc(f32(16777218.0)));
        params[115] = bitcast<u32>(trunc(p37));
        mixed[115] = bitcast<u32>(trunc(a[i]));
        literals[154] = bitcast<u32>(round(f32(16777218.0)));
        params[154] = bitcast<u32>(round(p37));
        mixed[154] = bitcast<u32>(round(f32(16777218.0)));
        literals[193] = bitcast<u32>(sqrt(f32(16777218.0)));
        params[193] = bitcast<u32>(sqrt(p37));
        mixed[193] = bitcast<u32>(sqrt(a[i]));
    }
    if i == 38 {
        literals[38] = bitcast<u32>(floor(f32(5.960464477539063e-08)));
        params[38] = bitcast<u32>(floor(p38));
        mixed[38] = bitcast<u32>(floor(f32(5.960464477539063e-08)));
        literals[77] = bitcast<u32>(ceil(f32(5.960464477539063e-08)));
        params[77] = bitcast<u32>(ceil(p38));
        mixed[77] = bitcast<u32>(ceil(a[i]));
        literals[116] = bitcast<u32>(trunc(f32(5.960464477539063e-08)));
        params[116] = bitcast<u32>(trunc(p38));
        mixed[116] = bitcast<u32>(trunc(f32(5.960464477539063e-08)));
        literals[155] = bitcast<u32>(round(f32(5.960464477539063e-08)));
        params[155] = bitcast<u32>(round(p38));
        mixed[155] = bitcast<u32>(round(a[i]));
        literals[194] = bitcast<u32>(sqrt(f32(5.960464477539063e-08)));
        params[194] = bitcast<u32>(sqrt(p38));
        mixed[194] = bitcast<u32>(sqrt(f32(5.960464477539063e-08)));
    }
}
