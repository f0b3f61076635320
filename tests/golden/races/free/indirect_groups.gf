// The counts of workgroups are read once, before the first pass; the kernel may write their buffer.
//! args --in counts=2,1,1
//! out x: 1 1 1 1 0 0
program indirect_groups;
inout u32 counts[3];
out u32 x[6];
kernel indirect(counts, 0) workgroup(2) {
    x[gid.x] = 1;
    if gid.x == 0 {
        counts[0] = 9;
    }
}
