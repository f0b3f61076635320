// GF0405 GF0406: fixpoints.
program settled;
param u32 n;
in u32 row[n];
inout u32 x[n];
inout u32 still[n];
kernel (n) fixpoint(10) on (x, row, n, x, missing) {
    x[gid.x] = row[gid.x];
    converged(true);
}
