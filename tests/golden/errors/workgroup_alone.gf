// GF0412: a workgroup without a space.
program workgroup_alone;
param u32 n;
out u32 x[n];
kernel workgroup(64) { forall i in 0 .. n { x[i] = 1; } }
