// Every invocation returns; variables of the grid are assigned all the same, so the loop ends, and a forall behind it
// finds them.
//! args --set n=6
//! out turns: 5 0
//! converged yes
//! order-free yes
//! case whole workgroups return, one after the other
//! args --set n=7
//! out turns: 5 0
//! converged yes
program b34_counts;

param   u32 n;
out     u32 turns[2];
scratch u32 a[n];

kernel (n) workgroup(2) {
    let v = gid.x;
    var u32 k = 0;
    if n % 2 == 0 || v < 2 { return; }
    while k < 5 {
        a[n - 1 - v] = k;
        k += 1;
        grid_barrier;
        if a[v] > 1 { return; }
    }
    converged(k == 5);
    forall i in 0 .. 1 {
        turns[i] = k;
    }
}
