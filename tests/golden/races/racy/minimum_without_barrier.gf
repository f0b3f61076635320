// The start value is stored in the stretch in which others already lower it.
//! race low start lower
program minimum_without_barrier;
out u32 low[1];
kernel (8) workgroup(2) {
    if gid.x == 0 {
        low[0] = 4000; // @start
    }
    atomic_min(low[0], 3187 + gid.x); // @lower
}
