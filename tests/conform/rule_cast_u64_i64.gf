// An integer to another type keeps its low bits, signed ones extended.
// Rows: i64(A).
// The same operands loaded, as literals, as params, and mixed.
//! args --in a=0,1,7,9223372036854775807,9223372036854775808,9223372036854775809,18446744073709551615,18446744073709551609,3074457345637347345 --in b=0,1,7,9223372036854775807,9223372036854775808,9223372036854775809,18446744073709551615,18446744073709551609,3074457345637347345 --set p0=0 --set q0=0 --set p1=1 --set q1=1 --set p2=7 --set q2=7 --set p3=9223372036854775807 --set q3=9223372036854775807 --set p4=9223372036854775808 --set q4=9223372036854775808 --set p5=9223372036854775809 --set q5=9223372036854775809 --set p6=18446744073709551615 --set q6=18446744073709551615 --set p7=18446744073709551609 --set q7=18446744073709551609 --set p8=3074457345637347345 --set q8=3074457345637347345
//! out loaded: 0 1 7 9223372036854775807 -9223372036854775808 -9223372036854775807 -1 -7 3074457345637347345
//! out literals: 0 1 7 9223372036854775807 -9223372036854775808 -9223372036854775807 -1 -7 3074457345637347345
//! out params: 0 1 7 9223372036854775807 -9223372036854775808 -9223372036854775807 -1 -7 3074457345637347345
//! out mixed: 0 1 7 9223372036854775807 -9223372036854775808 -9223372036854775807 -1 -7 3074457345637347345
//! order-free yes
program rule_cast_u64_i64;

param u64 p0;
param u64 q0;
param u64 p1;
param u64 q1;
param u64 p2;
param u64 q2;
param u64 p3;
param u64 q3;
param u64 p4;
param u64 q4;
param u64 p5;
param u64 q5;
param u64 p6;
param u64 q6;
param u64 p7;
param u64 q7;
param u64 p8;
param u64 q8;
in  u64 a[9];
in  u64 b[9];
out i64 loaded[9];
out i64 literals[9];
out i64 params[9];
out i64 mixed[9];

kernel (9) workgroup(4) {
    let i = gid.x;
    loaded[0 + i] = i64(a[i]);
    if i == 0 {
        literals[0] = i64(u64(0));
        params[0] = i64(p0);
        mixed[0] = i64(u64(0));
    }
    if i == 1 {
        literals[1] = i64(u64(1));
        params[1] = i64(p1);
        mixed[1] = i64(a[i]);
    }
    if i == 2 {
        literals[2] = i64(u64(7));
        params[2] = i64(p2);
        mixed[2] = i64(u64(7));
    }
    if i == 3 {
        literals[3] = i64(u64(9223372036854775807));
        params[3] = i64(p3);
        mixed[3] = i64(a[i]);
    }
    if i == 4 {
        literals[4] = i64(u64(9223372036854775808));
        params[4] = i64(p4);
        mixed[4] = i64(u64(9223372036854775808));
    }
    if i == 5 {
        literals[5] = i64(u64(9223372036854775809));
        params[5] = i64(p5);
        mixed[5] = i64(a[i]);
    }
    if i == 6 {
        literals[6] = i64(u64(18446744073709551615));
        params[6] = i64(p6);
        mixed[6] = i64(u64(18446744073709551615));
    }
    if i == 7 {
        literals[7] = i64(u64(18446744073709551609));
        params[7] = i64(p7);
        mixed[7] = i64(a[i]);
    }
    if i == 8 {
        literals[8] = i64(u64(3074457345637347345));
        params[8] = i64(p8);
        mixed[8] = i64(u64(3074457345637347345));
    }
}
