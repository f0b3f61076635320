// A barrier orders the workgroup on buffers too.
//! out b: 3 2 1 0 7 6 5 4
program mirror_in_workgroup;
scratch u32 a[8];
out u32 b[8];
kernel groups(2) workgroup(4) {
    a[gid.x] = gid.x;
    barrier;
    b[gid.x] = a[wid.x * 4 + 3 - lid.x];
}
