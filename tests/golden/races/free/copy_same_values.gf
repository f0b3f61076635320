// Copies that overlap leave the same values, as stores would.
//! args --in z=5,5,5
//! out x: 5 5 5
program copy_same_values;
in u32 z[3];
out u32 x[3];
kernel groups(1) workgroup(2) {
    copy_async(x, lid.x, z, 0, 2, fetch);
    wait(fetch);
}
