// ptx: threads=512
// Rows in one kernel: long rows go to the list of the grid, which the barrier behind them sees to.
program rows;

param u32 n;
in u32 row[n + 1];
in u32 col[];
inout u32 sum[n];

kernel (n) workgroup(64) {
    let v = gid.x;
    for e in row[v] .. row[v + 1] {
        atomic_add(sum[col[e]], v);
    }
    grid_barrier;
    sum[v] = sum[v] + 1;
}
