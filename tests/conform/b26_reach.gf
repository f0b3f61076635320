// The first program of the language page: no race. Final distances are the same whatever the order; passes are not stated.
//! args --set n=8 --in row=0,2,3,5,6,6,7,7,7 --in col=1,2,3,3,4,5,6 --in dist=0,4294967295,4294967295,4294967295,4294967295,4294967295,4294967295,4294967295
//! out dist: 0 1 1 2 2 3 4 4294967295
//! converged yes
//! order-free no
// Multi-hop reachability: dist[v] = hops from the nearest source, INF where there is none.
program reach;

const u32 INF = 0xffffffff;
param u32 n;                       // vertices
in    u32 row[n + 1];              // CSR offsets
in    u32 col[];                   // CSR targets; length as bound, len(col)
inout u32 dist[n];                 // 0 at the sources, INF elsewhere

kernel (n) workgroup(3) fixpoint(n) on (dist) {
    let v = gid.x;
    let d = atomic_load(dist[v]);
    if d != INF {
        for e in row[v] .. row[v + 1] {
            atomic_min(dist[col[e]], d + 1);
        }
    }
}
