// An `out` buffer whose first use is an atomic starts from zeros.
//! args --set n=1000
//! out count: 334 333 333
//! out most: 999
//! order-free yes
//! passes 1
//! case one
//! args --set n=1
//! out count: 1 0 0
//! out most: 0
//! case none
//! args --set n=0
//! out count: 0 0 0
//! out most: 0
program k10;

param u32 n;
out   u32 count[3];
out   u32 most[1];

kernel (n) workgroup(48) {
    atomic_add(count[gid.x % 3], 1);
    grid_barrier;
    atomic_max(most[0], gid.x);
}
