// A local array is one per invocation.
//! out x: 0 2 4 6
program arrays_per_invocation;
out u32 x[4];
kernel (4) workgroup(2) {
    var u32 a[2];
    a[0] = gid.x;
    a[1] = a[0];
    x[gid.x] = a[0] + a[1];
}
