// An integer to another type keeps its low bits, signed ones extended.
// Rows: i64(A).
// The same operands loaded, as literals, as params, and mixed.
//! args --in a=0,1,-1,7,-7,2147483647,-2147483648,-2147483647,-696739139 --in b=0,1,-1,7,-7,2147483647,-2147483648,-2147483647,-696739139 --set p0=0 --set q0=0 --set p1=1 --set q1=1 --set p2=-1 --set q2=-1 --set p3=7 --set q3=7 --set p4=-7 --set q4=-7 --set p5=2147483647 --set q5=2147483647 --set p6=-2147483648 --set q6=-2147483648 --set p7=-2147483647 --set q7=-2147483647 --set p8=-696739139 --set q8=-696739139
//! out loaded: 0 1 -1 7 -7 2147483647 -2147483648 -2147483647 -696739139
//! out literals: 0 1 -1 7 -7 2147483647 -2147483648 -2147483647 -696739139
//! out params: 0 1 -1 7 -7 2147483647 -2147483648 -2147483647 -696739139
//! out mixed: 0 1 -1 7 -7 2147483647 -2147483648 -2147483647 -696739139
//! order-free yes
program rule_cast_i32_i64;

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
out i64 loaded[9];
out i64 literals[9];
out i64 params[9];
out i64 mixed[9];

kernel (9) workgroup(4) {
    let i = gid.x;
    loaded[0 + i] = i64(a[i]);
    if i == 0 {
        literals[0] = i64(i32(0));
        params[0] = i64(p0);
        mixed[0] = i64(i32(0));
    }
    if i == 1 {
        literals[1] = i64(i32(1));
        params[1] = i64(p1);
        mixed[1] = i64(a[i]);
    }
    if i == 2 {
        literals[2] = i64(i32(-1));
        params[2] = i64(p2);
        mixed[2] = i64(i32(-1));
    }
    if i == 3 {
        literals[3] = i64(i32(7));
        params[3] = i64(p3);
        mixed[3] = i64(a[i]);
    }
    if i == 4 {
        literals[4] = i64(i32(-7));
        params[4] = i64(p4);
        mixed[4] = i64(i32(-7));
    }
    if i == 5 {
        literals[5] = i64(i32(2147483647));
        params[5] = i64(p5);
        mixed[5] = i64(a[i]);
    }
    if i == 6 {
        literals[6] = i64((i32(-2147483647) - 1));
        params[6] = i64(p6);
        mixed[6] = i64((i32(-2147483647) - 1));
    }
    if i == 7 {
        literals[7] = i64(i32(-2147483647));
        params[7] = i64(p7);
        mixed[7] = i64(a[i]);
    }
    if i == 8 {
        literals[8] = i64(i32(-696739139));
        params[8] = i64(p8);
        mixed[8] = i64(i32(-696739139));
    }
}
