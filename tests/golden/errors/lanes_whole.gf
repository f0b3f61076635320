// Silent: the same in whole workgroups.
program lanes_whole;
in u32 c[64];
inout u32 count[64];
shared u32 w[64];
kernel groups(5) workgroup(64) {
    if lid.x < 32 { atomic_add(count[lid.x], c[lid.x]); }
    w[lid.x] = 1;
    barrier;
    count[1] = w[63 - lid.x];
}
