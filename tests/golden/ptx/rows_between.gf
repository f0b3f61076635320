// ptx: stages
// Rows in kernels: long rows go to a queue.
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
