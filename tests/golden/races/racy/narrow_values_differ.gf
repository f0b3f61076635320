// The values are different in the byte that is left, though both are stored as small numbers.
//! race y store store
program narrow_values_differ;
out u8 y[1];
kernel (2) workgroup(2) {
    y[0] = gid.x * 255; // @store
}
