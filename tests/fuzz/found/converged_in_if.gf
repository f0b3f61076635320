// Barriers that order nothing, around what is said of convergence.
program found;

out f32 a[5];

kernel {
    a[0] = 0.0;
    if true {
        grid_barrier;
        converged(true);
    }
}
