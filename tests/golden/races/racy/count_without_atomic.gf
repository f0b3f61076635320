// Everybody counts without an atomic: the load of one and the store of another.
//! race c both both
program count_without_atomic;
out u32 c[1];
kernel (8) workgroup(8) {
    c[0] += 1; // @both
}
