// A body that permutes three names: the period is three turns, any number of them is right.
//! args --set turns=0 --in a=1,2 --in b=3,4
//! out a: 1 2
//! out b: 3 4
//! out c: 0 0
//! case 1
//! args --set turns=1 --in a=1,2 --in b=3,4
//! out a: 13 14
//! out b: 0 0
//! out c: 1 2
//! case 2
//! args --set turns=2 --in a=1,2 --in b=3,4
//! out a: 10 10
//! out b: 1 2
//! out c: 13 14
//! case 3
//! args --set turns=3 --in a=1,2 --in b=3,4
//! out a: 11 12
//! out b: 13 14
//! out c: 10 10
//! case 4
//! args --set turns=4 --in a=1,2 --in b=3,4
//! out a: 23 24
//! out b: 10 10
//! out c: 11 12
program b54_three;

param u32 turns;
inout u32 a[2];
inout u32 b[2];
out   u32 c[2];

kernel (2) workgroup(1) {
    for k in 0 .. turns {
        b[gid.x] += 10;
        swap(a, b);
        swap(b, c);
    }
}
