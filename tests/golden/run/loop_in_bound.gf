//! args --set n=5
//! out x: 0 1 2 3 4
//! out y: 3
// What is computed once for the grid, by a function with a loop that nobody knows to end.
program loop_in_bound;

param u32 n;
out u32 x[n];
out u32 y[1];

fn u32 counted(u32 to) {
    var u32 k = 0;
    while k < to {
        k += 1;
    }
    return k;
}

kernel {
    forall i in u32(0) .. counted(n) {
        x[i] = i;
    }
    grid_barrier;
    if counted(n) > 4 {
        forall i in 0 .. counted(3) {
            atomic_add(y[0], 1);
        }
    }
}
