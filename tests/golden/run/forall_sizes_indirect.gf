//! args --in counts=9,2,3,1
//! out a: 8 6 3 2 3 1 4 2 1
//! order-free yes
// The same where the workgroups are counted by a buffer.
program forall_sizes_indirect;

in u32 counts[4];
out u32 a[9];

kernel indirect(counts, 1) workgroup(4, 2, 1) {
    forall i in 0 .. 1 {
        a[0] = space.x;
        a[1] = space.y;
        a[2] = space.z + 2;
        a[3] = grid_size.x;
        a[4] = grid_size.y;
        a[5] = grid_size.z;
        a[6] = group_size.x;
        a[7] = group_size.y;
        a[8] = group_size.z;
    }
}
