//! args --set n=7 --in row=0,2,3,4,4,5,6,6 --in col=1,2,3,3,5,4 --in dist=0,4294967295,4294967295,4294967295,4294967295,4294967295,4294967295
//! out dist: 0 1 1 2 4294967295 4294967295 4294967295
//! converged yes
//! order-free no
//! case two sources
//! args --set n=7 --in row=0,2,3,4,4,5,6,6 --in col=1,2,3,3,5,4 --in dist=0,4294967295,4294967295,4294967295,0,4294967295,4294967295
//! out dist: 0 1 1 2 0 1 4294967295
//! converged yes
//! case already stable
//! args --set n=7 --in row=0,2,3,4,4,5,6,6 --in col=1,2,3,3,5,4 --in dist=0,1,1,2,4294967295,4294967295,4294967295
//! out dist: 0 1 1 2 4294967295 4294967295 4294967295
//! converged yes
//
// Multi-hop reachability: dist[v] becomes the number of hops from the nearest source, INF where there is no path.
//
// Shapes: a directed graph of n vertices and m edges as CSR: row[n + 1], col[m]. dist[n] holds 0 at each source and
// INF elsewhere.
// Complexity: at most as many passes as the longest shortest path has hops, and one more; each costs n, and the edges
// of the vertices that have come nearer since their edges were last followed.
// Algorithm: Bellman-Ford with unit weights, by relaxation in place. A pass may see values of the same pass, so the
// number of passes depends on the order of the atomics. The distances do not: only a lower value replaces another.
// Where a look shows that nothing would become less, the atomic is spared.
program reach;

param u32 n; // vertices
in u32 row[n + 1]; // CSR offsets
in u32 col[]; // CSR targets
inout u32 dist[n];
scratch u32 followed[n]; // ~ of the distance at which the edges were last followed

kernel (n) workgroup(256) fixpoint(n) on (dist) {
    let v = gid.x;
    let d = atomic_load(dist[v]);
    if d < ~followed[v] {
        followed[v] = ~d;
        for e in row[v] .. row[v + 1] {
            let w = col[e];
            if atomic_load(dist[w]) > d + 1 {
                atomic_min(dist[w], d + 1);
            }
        }
    }
}
