// `swap` in a loop of any number of turns: each name hands back what it then holds.
//! args --set turns=0 --in a=0,1,4,9,16
//! out a: 0 1 4 9 16
//! out b: 0 0 0 0 0
//! case 1 turns
//! args --set turns=1 --in a=0,1,4,9,16
//! out a: 1 4 10 20 25
//! out b: 0 1 4 9 16
//! case 2 turns
//! args --set turns=2 --in a=0,1,4,9,16
//! out a: 5 11 24 35 45
//! out b: 1 4 10 20 25
//! case 3 turns
//! args --set turns=3 --in a=0,1,4,9,16
//! out a: 16 29 46 69 80
//! out b: 5 11 24 35 45
//! case 4 turns
//! args --set turns=4 --in a=0,1,4,9,16
//! out a: 45 62 98 126 149
//! out b: 16 29 46 69 80
program b54;

param u32 turns;
inout f64 a[];
out   f64 b[len(a)];

kernel (len(a)) workgroup(2) {
    let v = gid.x;
    let n = len(a);
    for k in 0 .. turns {
        b[v] = a[max(v, 1) - 1] + a[min(v + 1, n - 1)];
        swap(a, b);
    }
}
