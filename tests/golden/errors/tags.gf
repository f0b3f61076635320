// GF0420: a wait for what nobody copies.
program tags;
inout u32 a[64];
inout u32 b[64];
kernel (64) workgroup(64) {
    copy_async(a, gid.x, b, gid.x, 1, first);
    wait(first);
    wait(second);
}
