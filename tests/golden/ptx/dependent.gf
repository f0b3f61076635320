// ptx: stages dependent
// Kernels that may come before those in front of them have ended: all wait first, the one with tickets too. `x`, which
// nobody writes, is still loaded as constant; `y`, which a kernel before has written, is not.
program dependent;

param u32 n;
in u32 x[n];
out u32 y[n];
out u32 z[n];

kernel (n) {
    let before = grid_scan_add(x[gid.x]);
    y[gid.x] = before;
    grid_barrier;
    z[gid.x] = y[n - 1 - gid.x] + x[gid.x];
}
