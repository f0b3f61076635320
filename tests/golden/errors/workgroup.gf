// GF0412: workgroups.
program workgroup;
param u32 n;
out u32 x[n];
kernel (n, n) workgroup(64, 32) { x[gid.x] = 1; }
