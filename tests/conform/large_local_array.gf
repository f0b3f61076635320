//! args --set n=20
//! out o: 7 7 7 14 7 7 7 7 7 7 7 7 7 7 7 7 7 7 7 7
//! out p: 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20
//! order-free yes
//
// Arrays of an invocation that are larger than any stack; and one beside them that is not.
program large_local_array;

param u32 n;
out u32 o[n];
out u32 p[n];

kernel (n) {
    var u32 x[400000];
    var u32 small[8];
    x[gid.x * 1000] = 7;
    o[gid.x] = x[3000] + x[gid.x * 1000];
    for i in 0 .. 2 { // zeros each time
        var u32 y[300000];
        y[299999 - gid.x] += gid.x;
        small[i] = y[299999 - gid.x] + i;
    }
    p[gid.x] = small[1];
}
