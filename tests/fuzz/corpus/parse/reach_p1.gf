// Multi-hop reachability: dist[v] = hops from the nearest source, INF where there is none.
program reach;

const u32 INF = 0xffffffff;
param u32 n;                       // vertices
in    u32 row[n + 1];              // CSR offsets
in    u32 col[];                   // CSR targets; length as bound, len(col)
inout u32 dist[n];                 // 0 at the sources, INF elsewhere

kernel (n) workgroup(256) fixpoint(n) on (dist) {
    let v = gid.x;
    let d = atomic_load(dist[v]);
    if d != INF {
        for e in row[v] .. row[v + 1] {
            atomic_min(dist[col[e]], d + 1);
        }
    }
}
