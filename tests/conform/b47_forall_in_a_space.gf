// The same in a kernel with a space: the invocations' own variables live across it, also where the space is narrower,
// wider, or has a returned invocation.
//! args --set n=5 --set m=1000
//! out wrong: 0
//! out y: 10 999 11 999 12 999 13 999 14 999
//! out sum: 499500
//! order-free yes
//! case narrower
//! args --set n=5 --set m=3
//! out wrong: 0
//! out y: 10 2 11 2 12 2 13 2 14 2
//! out sum: 3
//! case width 0
//! args --set n=5 --set m=0
//! out wrong: 0
//! out y: 10 0 11 0 12 0 13 0 14 0
//! out sum: 0
//! case all of the space returned
//! args --set n=5 --set m=4 --set stay=0
//! out wrong: 0
//! out y: 0 0 0 0 0 0 0 0 0 0
//! out sum: 6
program b47_space;

param   u32 n;
param   u32 m;
param   u32 stay = 1000;
out     u32 wrong[1];
out     u32 y[2 * n];
out     u32 sum[1];
scratch u32 times[m];

kernel (n) workgroup(2) {
    let v = gid.x;
    var u32 own = v + 10;
    var u32 all = 0;
    var u32 most = 0;
    if v >= stay { return; }
    forall i in 0 .. m { times[i] += 1; }
    grid_barrier;
    forall i in 0 .. m reduce(add all, max most) {
        if times[i] != 1 { atomic_add(wrong[0], 1); }
        all += i;
        most = max(most, i);
    }
    y[2 * v] = own;
    y[2 * v + 1] = most;
    forall i in 0 .. 1 { sum[i] = all; }
}
