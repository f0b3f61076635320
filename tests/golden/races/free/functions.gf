// Accesses and barriers in functions.
//! out x: 4 3 2 1
program functions;
scratch u32 y[4];
out u32 x[4];
fn put(u32 i, u32 v) {
    y[i] = v;
}
fn u32 get(u32 i) {
    return y[i];
}
fn settle() {
    grid_barrier;
}
kernel (4) workgroup(2) {
    put(gid.x, gid.x + 1);
    settle();
    x[gid.x] = get(3 - gid.x);
}
