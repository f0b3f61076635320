// An integer to another type keeps its low bits, signed ones extended.
// Rows: u64(A).
// The same operands loaded, as literals, as params, and mixed.
//! args --in a=0,1,-1,7,-7,2147483647,-2147483648,-2147483647,-696739139 --in b=0,1,-1,7,-7,2147483647,-2147483648,-2147483647,-696739139 --set p0=0 --set q0=0 --set p1=1 --set q1=1 --set p2=-1 --set q2=-1 --set p3=7 --set q3=7 --set p4=-7 --set q4=-7 --set p5=2147483647 --set q5=2147483647 --set p6=-2147483648 --set q6=-2147483648 --set p7=-2147483647 --set q7=-2147483647 --set p8=-696739139 --set q8=-696739139
//! out loaded: 0 1 18446744073709551615 7 18446744073709551609 2147483647 18446744071562067968 18446744071562067969 18446744073012812477
//! out literals: 0 1 18446744073709551615 7 18446744073709551609 2147483647 18446744071562067968 18446744071562067969 18446744073012812477
//! out params: 0 1 18446744073709551615 7 18446744073709551609 2147483647 18446744071562067968 18446744071562067969 18446744073012812477
//! out mixed: 0 1 18446744073709551615 7 18446744073709551609 2147483647 18446744071562067968 18446744071562067969 18446744073012812477
//! order-free yes
program rule_cast_i32_u64;

param i32 p0;
param i32 q0;
param i32 p1;
param i32 q1;
param i32 p2;
param i32 q2;
param i32 p3;
param i32 q3;
param i32 p4;
param i32 q4;
param i32 p5;
param i32 q5;
param i32 p6;
param i32 q6;
param i32 p7;
param i32 q7;
param i32 p8;
param i32 q8;
in  i32 a[9];
in  i32 b[9];
out u64 loaded[9];
out u64 literals[9];
out u64 params[9];
out u64 mixed[9];

kernel (9) workgroup(4) {
    let i = gid.x;
    loaded[0 + i] = u64(a[i]);
    if i == 0 {
        literals[0] = u64(i32(0));
        params[0] = u64(p0);
        mixed[0] = u64(i32(0));
    }
    if i == 1 {
        literals[1] = u64(i32(1));
        params[1] = u64(p1);
        mixed[1] = u64(a[i]);
    }
    if i == 2 {
        literals[2] = u64(i32(-1));
        params[2] = u64(p2);
        mixed[2] = u64(i32(-1));
    }
    if i == 3 {
        literals[3] = u64(i32(7));
        params[3] = u64(p3);
        mixed[3] = u64(a[i]);
    }
    if i == 4 {
        literals[4] = u64(i32(-7));
        params[4] = u64(p4);
        mixed[4] = u64(i32(-7));
    }
    if i == 5 {
        literals[5] = u64(i32(2147483647));
        params[5] = u64(p5);
        mixed[5] = u64(a[i]);
    }
    if i == 6 {
        literals[6] = u64((i32(-2147483647) - 1));
        params[6] = u64(p6);
        mixed[6] = u64((i32(-2147483647) - 1));
    }
    if i == 7 {
        literals[7] = u64(i32(-2147483647));
        params[7] = u64(p7);
        mixed[7] = u64(a[i]);
    }
    if i == 8 {
        literals[8] = u64(i32(-696739139));
        params[8] = u64(p8);
        mixed[8] = u64(i32(-696739139));
    }
}
