//! args --set n=6 --set source=0 --set delta=4 --in row=0,2,4,6,7,8,9 --in col=1,2,2,3,1,3,4,0,0 --in weight=7,3,1,20,3,9,2,1,1
//! out dist: 0 6 3 12 14 4294967295
//! converged null
//! order-free no
//! case one bucket each
//! args --set n=6 --set source=5 --set delta=1 --in row=0,2,4,6,7,8,9 --in col=1,2,2,3,1,3,4,0,0 --in weight=7,3,1,20,3,9,2,1,1
//! out dist: 1 7 4 13 15 0
//! case all in one bucket
//! args --set n=6 --set source=0 --set delta=1000 --in row=0,2,4,6,7,8,9 --in col=1,2,2,3,1,3,4,0,0 --in weight=7,3,1,20,3,9,2,1,1
//! out dist: 0 6 3 12 14 4294967295
//
// Single-source shortest paths with u32 weights: dist[v] becomes the length of a shortest path from `source`, INF where
// there is none.
//
// Shapes: n vertices and m edges as CSR: row[n + 1], col[m], weight[m]. dist[n]. `delta` is the width of a bucket: about
// the usual weight is a good choice; any value from 1 on is right. Paths of length INF or more count as none.
// Complexity: about (longest distance / delta) buckets, each with as many light rounds as its longest chain of light
// edges; every round looks at all n vertices.
// Algorithm: U. Meyer, P. Sanders: Delta-stepping: a parallelizable shortest path algorithm (J. Algorithms 49, 2003).
// Light edges (weight <= delta) are relaxed until the bucket is stable, then its heavy edges once. Empty buckets are
// skipped by a grid_min.
program sssp;

const u32 INF = 0xffffffff;

param u32 n;
param u32 source;
param u32 delta = 16;
in u32 row[n + 1];
in u32 col[];
in u32 weight[len(col)];
out u32 dist[n];

kernel (n) {
    let v = gid.x;
    dist[v] = select(v == source, 0, INF);
    var u32 relaxed = INF; // distance at which this vertex's light edges were last relaxed
    var u32 near = 0; // least distance that is not settled
    while near != INF {
        let lo = near / delta * delta; // this bucket is [lo, hi)
        let hi = lo + min(delta, INF - lo);
        var bool more = true;
        while more {
            var bool again = false;
            region "light" {
                let d = atomic_load(dist[v]);
                if d >= lo && d < hi && d < relaxed {
                    relaxed = d;
                    for e in row[v] .. row[v + 1] {
                        let w = weight[e];
                        if w <= delta && w < INF - d {
                            let via = d + w;
                            if via < atomic_min(dist[col[e]], via) && via < hi {
                                again = true;
                            }
                        }
                    }
                }
            }
            more = grid_any(again);
        }
        region "heavy" {
            let d = atomic_load(dist[v]);
            if d >= lo && d < hi {
                for e in row[v] .. row[v + 1] {
                    let w = weight[e];
                    if w > delta && w < INF - d {
                        atomic_min(dist[col[e]], d + w);
                    }
                }
            }
        }
        grid_barrier;
        let d = dist[v];
        near = grid_min(select(d >= hi, d, INF));
    }
}
