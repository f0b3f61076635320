// The old buffer is written before the swap, while neighbours still read it.
//! race a write read
program swap_too_late;
scratch u32 a[4];
scratch u32 b[4];
out u32 x[4];
kernel (4) workgroup(2) {
    for t in 0 .. 2 {
        b[gid.x] = a[(gid.x + 1) % 4] + 1; // @read
        a[gid.x] = 0; // @write
        swap(a, b);
    }
    x[gid.x] = a[gid.x];
}
