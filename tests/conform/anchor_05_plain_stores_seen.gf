// Every item writes v[i] by a plain store, barrier, reads v[N - 1 - i]; repeated with other values.
//! long
//! args --set n=96 --set repeats=1000
//! out wrong: 0
//! order-free yes
//! races no
//! case odd
//! args --set n=33 --set repeats=10
//! out wrong: 0
program anchor05;

param   u32 n;
param   u32 repeats;
out     u32 wrong[1];
scratch u32 v[n];

kernel (n) workgroup(32) {
    let i = gid.x;
    for r in 0 .. repeats {
        v[i] = i + 1 + r;
        grid_barrier;
        if v[n - 1 - i] != n - i + r { atomic_add(wrong[0], 1); }
        grid_barrier;
    }
}
