// Where there is one workgroup only, a barrier orders everything.
//! out b: 7 6 5 4 3 2 1 0
program one_workgroup;
scratch u32 a[8];
out u32 b[8];
kernel groups(1) workgroup(8) {
    a[gid.x] = gid.x;
    barrier;
    b[gid.x] = a[7 - gid.x];
}
