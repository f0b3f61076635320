// The source of a copy is changed by another before the wait, though a barrier lies between call and change.
//! race z copy change
program copy_source_changes;
scratch u32 z[2];
out u32 x[2];
kernel groups(1) workgroup(2) {
    if lid.x == 0 {
        copy_async(x, 0, z, 0, 2, fetch); // @copy
    }
    barrier;
    if lid.x == 1 {
        z[1] = 3; // @change
    }
    barrier;
    if lid.x == 0 {
        wait(fetch);
    }
}
