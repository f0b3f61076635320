// After a trap no later stretch runs: the run ends at the next barrier, also out of a loop that would never end.
//! args --set n=4
//! status 6
//! error GF0703
//! stderr turn
//! stderr 3
program b41_loop;

param   u32 n;
out     u32 y[n];
scratch u32 a[n];

kernel (n) workgroup(2) {
    let v = gid.x;
    var u32 k = 0;
    grid while true {
        a[n - 1 - v] = k;
        grid_barrier;
        if v == 2 && a[v] == 3 { trap("turn", k); }
        k += 1;
        grid_barrier;
    }
}
