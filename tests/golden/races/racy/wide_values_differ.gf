// The values differ in their upper half alone.
//! race y store store
program wide_values_differ;
out u64 y[1];
kernel (2) workgroup(2) {
    y[0] = u64(gid.x) << 32; // @store
}
