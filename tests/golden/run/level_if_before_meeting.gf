//! args --set n=1
//! out a: 3 3 3 3 3 3 3 3
//! out b: 3 3 3 3 3 3 3 3
//! out c: 0 0 0 0 0 0 0 0
//! order-free yes
// A value of the grid is kept in another before an `if` of the grid changes it. The `if` orders nothing, so each invocation
// takes it; but the workgroup has an operation behind, and values that are its own, in the order of the text.
program level_if_before_meeting;

param u32 n;
out u32 a[8];
out u32 b[8];
out u32 c[8];

kernel groups(2) workgroup(4) {
    var u32 v = 3;
    var u32 kept = v;
    if n == 1 {
        v = 0;
    }
    let all = group_all(true);
    a[gid.x] = kept;
    var u32 w = 3;
    let also = w + v;
    for i in 0 .. n {
        w -= 3;
    }
    barrier;
    b[gid.x] = also;
    c[gid.x] = w;
}
