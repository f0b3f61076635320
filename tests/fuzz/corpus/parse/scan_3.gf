// Inclusive prefix sum of any length.
program scan;

param   u32 n;
in      u32 x[n];
out     u32 y[n];

kernel (n) {
    let a = x[gid.x];
    let before = grid_scan_add(a);
    y[gid.x] = before + a;
}
