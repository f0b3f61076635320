//! args --set n=10
//! out a: 10 3 4 10 3 4
//! out b: 10 10 10 10 10 10 10 10 10 10
//! order-free yes
//! case in a kernel without workgroups at all
//! args --set n=0
//! out a: 0 0 0 0 0 0
//! out b:
// In a forall the sizes of the kernel are those of the kernel, whatever space the forall is run over. So they are in
// functions that it calls, and in the sizes of buffers.
program forall_sizes;

param u32 n;
out u32 a[6];
out u32 b[space.x];

fn u32 one_of(u32 i) {
    return select(i == 3, space.x, select(i == 4, grid_size.x, group_size.x));
}

kernel (n) workgroup(4) {
    forall i in 0 .. 3 {
        a[i] = select(i == 0, space.x, select(i == 1, grid_size.x, group_size.x));
    }
    forall i in 3 .. 6 {
        a[i] = one_of(i);
    }
    forall i in 0 .. n {
        b[i] = len(b);
    }
}
