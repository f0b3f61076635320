// Each workgroup has its own copy of an array: the same index is another element.
//! out x: 1 0 3 2 5 4
program arrays_per_workgroup;
shared u32 w[2];
out u32 x[6];
kernel groups(3) workgroup(2) {
    w[lid.x] = gid.x;
    barrier;
    x[gid.x] = w[1 - lid.x];
}
