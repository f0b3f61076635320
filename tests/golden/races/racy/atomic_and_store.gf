// One sets the start value plainly while others count.
//! race c start count
program atomic_and_store;
out u32 c[1];
kernel (4) workgroup(2) {
    if gid.x == 3 {
        c[0] = 0; // @start
    } else {
        atomic_add(c[0], 1); // @count
    }
}
