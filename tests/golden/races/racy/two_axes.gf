// On two axes the x of the invocation alone is no index of its own.
//! race y store store
program two_axes;
scratch u32 y[4];
kernel (4, 2) workgroup(2, 2) {
    y[gid.x] = gid.y; // @store
}
