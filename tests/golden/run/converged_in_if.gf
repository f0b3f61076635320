//! args --set n=5 --set c=1
//! out a: 1 1 1 1 1
//! converged yes
//! order-free yes
//! case not taken
//! args --set n=5 --set c=0
//! out a: 1 1 1 1 1
//! converged no
// What an `if` of the grid says is said by the plan, not by its segments, also where the edges of the `if` are dropped.
program converged_in_if;

param u32 n;
param u32 c;
out u32 a[n];

kernel (n) {
    converged(false);
    atomic_add(a[gid.x], 1);
    grid if c == 1 {
        converged(true);
    }
}
