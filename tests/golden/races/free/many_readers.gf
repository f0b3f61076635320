// Everybody reads, nobody writes.
//! args --in a=5,6
//! out x: 11 11 11 11
program many_readers;
in u32 a[2];
out u32 x[4];
kernel (4) workgroup(2) {
    x[gid.x] = a[0] + a[1];
}
