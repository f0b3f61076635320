// A trap acts as `return` for its invocation and the run ends at the next barrier; reported is the lowest invocation of
// the earliest stretch, whatever the others did.
//! args --set n=8
//! status 6
//! error GF0703
//! stderr tag
//! stderr 43
program rule_trap;

param u32 n;
out   u32 y[n];

kernel (n) workgroup(2) {
    let v = gid.x;
    if v >= 3 {
        trap("tag", 40 + v);
        trap("never", 0);
    }
    y[v] = 1;
    grid_barrier;
    trap("late", 1);
}
