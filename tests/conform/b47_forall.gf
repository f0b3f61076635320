// `forall` of width 0, 1 and more: each index once, also through a variable bound and not from 0; in a kernel without a
// space, two of different width around a barrier.
//! args --set n=1000
//! out wrong: 0
//! out small: 0 1 4 9 16 25 36 49
//! order-free yes
//! case one
//! args --set n=1
//! out wrong: 0
//! out small: 0 0 0 0 0 0 0 0
//! case none
//! args --set n=0
//! out wrong: 0
//! out small: 0 0 0 0 0 0 0 0
program b47;

param   u32 n;
out     u32 wrong[1];
out     u32 small[8];
scratch u32 times[n + 5];

kernel {
    forall i in 0 .. n { atomic_add(times[i], 1); }
    forall i in n .. n + 5 { atomic_add(times[i], 1); }
    forall i in 5 .. 2 { atomic_add(wrong[0], 100); }
    grid_barrier;
    forall k in 0 .. 8 {
        var u32 s = 0;
        for j in 0 .. min(k, n) { s += times[j] * k; }
        small[k] = select(n >= 8, s, 0);
    }
    grid_barrier;
    forall i in 0 .. n + 5 { if times[i] != 1 { atomic_add(wrong[0], 1); } }
}
