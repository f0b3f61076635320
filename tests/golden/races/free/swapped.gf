// The halves are two buffers that trade names; the swap is a grid barrier.
//! out x: 2 3 0 1
program swapped;
scratch u32 a[4];
scratch u32 b[4];
out u32 x[4];
kernel (4) workgroup(2) {
    a[gid.x] = gid.x;
    grid_barrier;
    for t in 0 .. 2 {
        b[gid.x] = a[(gid.x + 1) % 4];
        swap(a, b);
    }
    x[gid.x] = a[gid.x];
}
