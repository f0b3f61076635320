// All count by an atomic, but the result is read plainly.
//! race c count read
program atomic_and_load;
scratch u32 c[1];
out u32 x[4];
kernel (4) workgroup(2) {
    atomic_add(c[0], 1); // @count
    x[gid.x] = c[0]; // @read
}
