// GF0412: an axis of none.
program workgroup_zero;
param u32 n;
out u32 x[n];
kernel (n, n) workgroup(64, 0) { x[gid.x] = 1; }
