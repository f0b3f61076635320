// The condition of an assert is a use: it sees what an earlier segment of other workgroups wrote.
//! args --set n=5 --set limit=104
//! out y: 4 3 2 1 0
//! order-free yes
//! case fails
//! args --set n=5 --set limit=103
//! status 6
//! error GF0704
//! stderr too large
program b24_assert;

param   u32 n;
param   u32 limit;
out     u32 y[n];
scratch u32 a[n];

kernel (n) workgroup(2) {
    let v = gid.x;
    a[n - 1 - v] = 100 + v;
    grid_barrier;
    assert(a[v] <= limit, "too large");
    grid_barrier;
    y[v] = n - 1 - v;
}
