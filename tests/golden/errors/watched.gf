// GF0406: a watched buffer that nothing writes.
program watched;
param u32 n;
inout u32 x[n];
inout u32 still[n];
kernel (n) fixpoint(10) on (x, still) { x[gid.x] = 1; }
