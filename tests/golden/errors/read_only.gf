// GF0401 GF0402: what is never written.
program read_only;
const u32 C = 1;
param u32 n;
in u32 row[n];
inout u32 x[n];
fn u32 f(u32 a) { a = 1; return a; }
kernel (n) {
    let v = gid.x;
    row[v] = 1;
    row[v] += 1;
    atomic_add(row[v], 1);
    x[v] = atomic_load(row[v]);
    v = 3;
    n = 3;
    C = 3;
    for i in 0 .. 3 { i += 1; }
    swap(row, x);
    copy_async(row, 0, x, 0, 1, tag);
    all_reduce(row, add);
}
