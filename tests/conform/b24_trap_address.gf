// An atomic and a load as the address of a trap are uses of their buffers; the address is the present value.
//! args --set n=3
//! status 6
//! error GF0703
//! stderr 41
program b24_trap;

param   u32 n;
out     u32 y[n];
scratch u32 a[n];

kernel (n) workgroup(2) {
    let v = gid.x;
    a[n - 1 - v] = 40 + v;
    grid_barrier;
    if v == 1 { trap("here", a[v]); }
    y[v] = 1;
}
