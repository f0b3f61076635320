// Both accesses lie in functions; the lines named are those in the functions.
//! race y put get
program in_function;
scratch u32 y[4];
out u32 x[4];
fn put(u32 i, u32 v) {
    y[i] = v; // @put
}
fn u32 get(u32 i) {
    return y[i]; // @get
}
kernel (4) workgroup(2) {
    put(gid.x, 1);
    x[gid.x] = get(3 - gid.x);
}
