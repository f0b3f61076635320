// An integer to another type keeps its low bits, signed ones extended.
// Rows: i32(A).
// The same operands loaded, as literals, as params, and mixed.
//! args --in a=0,1,7,2147483647,2147483648,2147483649,4294967295,4294967289,734916625 --in b=0,1,7,2147483647,2147483648,2147483649,4294967295,4294967289,734916625 --set p0=0 --set q0=0 --set p1=1 --set q1=1 --set p2=7 --set q2=7 --set p3=2147483647 --set q3=2147483647 --set p4=2147483648 --set q4=2147483648 --set p5=2147483649 --set q5=2147483649 --set p6=4294967295 --set q6=4294967295 --set p7=4294967289 --set q7=4294967289 --set p8=734916625 --set q8=734916625
//! out loaded: 0 1 7 2147483647 -2147483648 -2147483647 -1 -7 734916625
//! out literals: 0 1 7 2147483647 -2147483648 -2147483647 -1 -7 734916625
//! out params: 0 1 7 2147483647 -2147483648 -2147483647 -1 -7 734916625
//! out mixed: 0 1 7 2147483647 -2147483648 -2147483647 -1 -7 734916625
//! order-free yes
program rule_cast_u32_i32;

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
in  u32 a[9];
in  u32 b[9];
out i32 loaded[9];
out i32 literals[9];
out i32 params[9];
out i32 mixed[9];

kernel (9) workgroup(4) {
    let i = gid.x;
    loaded[0 + i] = i32(a[i]);
    if i == 0 {
        literals[0] = i32(u32(0));
        params[0] = i32(p0);
        mixed[0] = i32(u32(0));
    }
    if i == 1 {
        literals[1] = i32(u32(1));
        params[1] = i32(p1);
        mixed[1] = i32(a[i]);
    }
    if i == 2 {
        literals[2] = i32(u32(7));
        params[2] = i32(p2);
        mixed[2] = i32(u32(7));
    }
    if i == 3 {
        literals[3] = i32(u32(2147483647));
        params[3] = i32(p3);
        mixed[3] = i32(a[i]);
    }
    if i == 4 {
        literals[4] = i32(u32(2147483648));
        params[4] = i32(p4);
        mixed[4] = i32(u32(2147483648));
    }
    if i == 5 {
        literals[5] = i32(u32(2147483649));
        params[5] = i32(p5);
        mixed[5] = i32(a[i]);
    }
    if i == 6 {
        literals[6] = i32(u32(4294967295));
        params[6] = i32(p6);
        mixed[6] = i32(u32(4294967295));
    }
    if i == 7 {
        literals[7] = i32(u32(4294967289));
        params[7] = i32(p7);
        mixed[7] = i32(a[i]);
    }
    if i == 8 {
        literals[8] = i32(u32(734916625));
        params[8] = i32(p8);
        mixed[8] = i32(u32(734916625));
    }
}
