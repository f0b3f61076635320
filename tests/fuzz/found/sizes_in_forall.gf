//! args --set n=2 --in counts=3,1,1,0,0
// The sizes of an indirect launch, of the kernel's workgroups and space, seen by a forall.
program found;

param u32 n;
in u32 counts[5];
out u32 a[6];

kernel indirect(counts, 0) workgroup(2) {
    forall i in 1 .. n {
        a[0] = grid_size.x;
        a[1] = space.x;
        a[2] = group_size.x;
    }
}
