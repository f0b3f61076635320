// Two invocations copy different values to ranges that share an element.
//! args --in z=5,6,7,8
//! race x copy copy
program copies_overlap;
in u32 z[4];
out u32 x[4];
kernel groups(1) workgroup(2) {
    copy_async(x, lid.x, z, 0, 2, fetch); // @copy
    wait(fetch);
}
