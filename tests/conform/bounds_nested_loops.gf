//! args --set n=12 --set k=3 --set d=-2 --in a=iota --size a=20
//! out o: 543 592 592 657 664 728 732 794 796 835 793 723
//! order-free yes
//! races no
//! case loops that are empty
//! args --set n=4 --set k=0 --set d=3 --in a=iota --size a=9
//! out o: 0 0 0 0
//! races no
//! case far outside
//! args --set n=5 --set k=9 --set d=-40 --in a=random:3 --size a=11
//! out o: 1735639841 3580875491 2228664784 2359891201 4046608877
//! races no
//
// Accesses of inner loops are proven once before an outer one; where they are outside, the rules hold all the same.
program nest;
param u32 n;
param u32 k;
param i32 d;
in u32 a[];
out u32 o[n];
kernel (n) {
    let v = gid.x;
    var u32 s = 0;
    for i in 0 .. k {
        for j in 0 .. 4 {
            s += a[v + i * 4 + j] + a[i * 4 + j] * 3 + a[v * 2 - i - j];
        }
        for j in 0 .. k - 5 {
            if j > 100 { break; }
            s += a[v + j * 2];
        }
    }
    for m in d .. 3 {
        s += a[i32(v) + m * 3];
    }
    o[v] = s;
}
