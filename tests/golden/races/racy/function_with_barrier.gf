// A helper that hides a barrier hides which barrier it is.
//! stderr GF0322
//! race y write read
program function_with_barrier;
scratch u32 y[4];
out u32 x[4];
fn settle() {
    barrier;
}
kernel groups(2) workgroup(2) {
    y[gid.x] = 1; // @write
    settle();
    x[gid.x] = y[3 - gid.x]; // @read
}
