// A compare-and-exchange that fails writes nothing, and is an atomic access all the same.
//! race y write exchange
program failed_exchange;
scratch u32 y[1];
kernel (2) workgroup(1) {
    if gid.x == 0 {
        y[0] = 5; // @write
    } else {
        atomic_compare_exchange(y[0], 77, 1); // @exchange
    }
}
