// A copy of many elements reaches one that another invocation writes.
//! race y copy write
program in_a_copied_row;
scratch u32 y[8];
out u32 x[8];
kernel groups(2) workgroup(1) {
    if gid.x == 0 {
        copy_async(x, 0, y, 0, 8, row); // @copy
        wait(row);
    } else {
        y[7] = 1; // @write
    }
}
