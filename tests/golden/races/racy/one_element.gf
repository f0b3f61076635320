// Everybody stores a value of their own into one element.
//! race y store store
program one_element;
scratch u32 y[1];
kernel (4) workgroup(2) {
    y[0] = gid.x; // @store
}
