// A divergent `return` before a barrier: behind it only those run that have not returned.
//! args --set n=5 --set m=12
//! out big: 1 1 1 1 1 0 0 0 0 0 0 0
//! out seen: 4 3 2 1 0 0 0 0 0 0 0 0
//! order-free yes
//! case all return
//! args --set n=0 --set m=12
//! out big: 0 0 0 0 0 0 0 0 0 0 0 0
//! out seen: 0 0 0 0 0 0 0 0 0 0 0 0
//! case none returns
//! args --set n=12 --set m=12
//! out big: 1 1 1 1 1 1 1 1 1 1 1 1
//! out seen: 11 10 9 8 7 6 5 4 3 2 1 0
program b05;

param   u32 n;
param   u32 m;
out     u32 big[m];
out     u32 seen[m];
scratch u32 a[m];

kernel (m) workgroup(4) {
    let v = gid.x;
    if v >= n { return; }
    a[v] = v;
    grid_barrier;
    big[v] = 1;
    seen[v] = a[n - 1 - v];
}
