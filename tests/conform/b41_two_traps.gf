// Traps in two invocations and two stretches: reported is the earliest stretch, there the lowest linear invocation.
//! args --set n=9 --set late=2 --set early=5
//! status 6
//! error GF0703
//! stderr first
//! stderr 105
//! case only the late one
//! args --set n=9 --set late=2 --set early=9
//! status 6
//! error GF0703
//! stderr second
//! stderr 202
//! case none
//! args --set n=9 --set late=9 --set early=9
//! out y: 8 7 6 5 4 3 2 1 0
//! case an assert against a trap
//! args --set n=9 --set late=9 --set early=9 --set odd=3
//! status 6
//! error GF0704
//! stderr odd one
program b41;

param   u32 n;
param   u32 late;
param   u32 early;
param   u32 odd = 100;
out     u32 y[n];
scratch u32 a[n];

kernel (n) workgroup(2) {
    let v = gid.x;
    if v >= early { trap("first", 100 + v); }
    a[n - 1 - v] = v;
    grid_barrier;
    if v >= late { trap("second", 200 + v); }
    assert(v < odd, "odd one");
    y[v] = a[v];
}
