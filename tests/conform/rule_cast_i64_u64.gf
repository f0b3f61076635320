// An integer to another type keeps its low bits, signed ones extended.
// Rows: u64(A).
// The same operands loaded, as literals, as params, and mixed.
//! args --in a=0,1,-1,7,-7,9223372036854775807,-9223372036854775808,-9223372036854775807,-3074457345599169859 --in b=0,1,-1,7,-7,9223372036854775807,-9223372036854775808,-9223372036854775807,-3074457345599169859 --set p0=0 --set q0=0 --set p1=1 --set q1=1 --set p2=-1 --set q2=-1 --set p3=7 --set q3=7 --set p4=-7 --set q4=-7 --set p5=9223372036854775807 --set q5=9223372036854775807 --set p6=-9223372036854775808 --set q6=-9223372036854775808 --set p7=-9223372036854775807 --set q7=-9223372036854775807 --set p8=-3074457345599169859 --set q8=-3074457345599169859
//! out loaded: 0 1 18446744073709551615 7 18446744073709551609 9223372036854775807 9223372036854775808 9223372036854775809 15372286728110381757
//! out literals: 0 1 18446744073709551615 7 18446744073709551609 9223372036854775807 9223372036854775808 9223372036854775809 15372286728110381757
//! out params: 0 1 18446744073709551615 7 18446744073709551609 9223372036854775807 9223372036854775808 9223372036854775809 15372286728110381757
//! out mixed: 0 1 18446744073709551615 7 18446744073709551609 9223372036854775807 9223372036854775808 9223372036854775809 15372286728110381757
//! order-free yes
program rule_cast_i64_u64;

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
in  i64 a[9];
in  i64 b[9];
out u64 loaded[9];
out u64 literals[9];
out u64 params[9];
out u64 mixed[9];

kernel (9) workgroup(4) {
    let i = gid.x;
    loaded[0 + i] = u64(a[i]);
    if i == 0 {
        literals[0] = u64(i64(0));
        params[0] = u64(p0);
        mixed[0] = u64(i64(0));
    }
    if i == 1 {
        literals[1] = u64(i64(1));
        params[1] = u64(p1);
        mixed[1] = u64(a[i]);
    }
    if i == 2 {
        literals[2] = u64(i64(-1));
        params[2] = u64(p2);
        mixed[2] = u64(i64(-1));
    }
    if i == 3 {
        literals[3] = u64(i64(7));
        params[3] = u64(p3);
        mixed[3] = u64(a[i]);
    }
    if i == 4 {
        literals[4] = u64(i64(-7));
        params[4] = u64(p4);
        mixed[4] = u64(i64(-7));
    }
    if i == 5 {
        literals[5] = u64(i64(9223372036854775807));
        params[5] = u64(p5);
        mixed[5] = u64(a[i]);
    }
    if i == 6 {
        literals[6] = u64((i64(-9223372036854775807) - 1));
        params[6] = u64(p6);
        mixed[6] = u64((i64(-9223372036854775807) - 1));
    }
    if i == 7 {
        literals[7] = u64(i64(-9223372036854775807));
        params[7] = u64(p7);
        mixed[7] = u64(a[i]);
    }
    if i == 8 {
        literals[8] = u64(i64(-3074457345599169859));
        params[8] = u64(p8);
        mixed[8] = u64(i64(-3074457345599169859));
    }
}
