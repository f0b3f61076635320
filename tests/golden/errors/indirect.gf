// GF0408: counts of an indirect space.
program indirect;
inout i32 counts[3];
out u32 x[3];
kernel indirect(counts, 0) { x[gid.x] = 1; }
