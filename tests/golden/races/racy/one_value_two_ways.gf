// Stores of one value, one of them by an atomic: only plain stores of one value do not race.
//! race y plain atomic
program one_value_two_ways;
scratch u32 y[1];
kernel (2) workgroup(1) {
    if gid.x == 0 {
        y[0] = 5; // @plain
    } else {
        atomic_store(y[0], 5); // @atomic
    }
}
