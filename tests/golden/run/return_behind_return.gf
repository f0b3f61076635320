//! args --set n=6 --in x=1,2,3,4,5,6
//! out a: 0 0 1 1 1 1
//! out b: 0 0 0 0 1 1
//! out c: 0 0 0 0 1 1
//! order-free yes
// Two returns, each of which can be evaluated again: a segment leaves out those who have returned before it, and not yet
// those who will return in it.
program return_behind_return;

param u32 n;
in u32 x[n];
out u32 a[n];
out u32 b[n];
out u32 c[n];

kernel (n) workgroup(4) {
    if gid.x < 2 {
        return;
    }
    let t = grid_load(x[0]);
    a[gid.x] += t;
    if gid.x < 4 {
        return;
    }
    b[gid.x] += t;
    let u = grid_load(x[0]);
    c[gid.x] += u;
}
