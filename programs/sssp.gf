//! args --set n=6 --set source=0 --set delta=4 --in row=0,2,4,6,7,8,9 --in col=1,2,2,3,1,3,4,0,0 --in weight=7,3,1,20,3,9,2,1,1
//! out dist: 0 6 3 12 14 4294967295
//! converged null
//! order-free no
//! case one bucket each
//! args --set n=6 --set source=5 --set delta=1 --in row=0,2,4,6,7,8,9 --in col=1,2,2,3,1,3,4,0,0 --in weight=7,3,1,20,3,9,2,1,1
//! out dist: 1 7 4 13 15 0
//! case all in one bucket
//! args --set n=6 --set source=0 --set delta=0xffffffff --in row=0,2,4,6,7,8,9 --in col=1,2,2,3,1,3,4,0,0 --in weight=7,3,1,20,3,9,2,1,1
//! out dist: 0 6 3 12 14 4294967295
//! case weights of 0, and paths that are too long
//! args --set n=5 --set source=0 --in row=0,2,3,4,5,5 --in col=1,2,0,3,4 --in weight=0,4294967294,0,1,0
//! out dist: 0 0 4294967294 4294967295 4294967295
//! case a bucket of width 0 counts as 1
//! args --set n=3 --set source=0 --set delta=0 --in row=0,1,2,2 --in col=1,2 --in weight=2,3
//! out dist: 0 2 5
//
// Single-source shortest paths with u32 weights: dist[v] becomes the length of a shortest path from `source`, INF
// where there is none.
//
// Shapes: n vertices and m edges as CSR: row[n + 1], col[m], weight[m]. dist[n]. `delta` is the width of a bucket:
// with a small one edges are followed seldom twice, with a large one there are few buckets and much to do at once; the
// results are the same. Paths of length INF or more count as none.
// Complexity: n per bucket that is not empty, and a vertex's edges each time its distance has become less when its
// bucket's turn comes: about n * buckets + m.
// Algorithm: delta-stepping, of U. Meyer, P. Sanders: Delta-stepping: a parallelizable shortest path algorithm (J.
// Algorithms 49, 2003), with the one near queue of A. Davidson, S. Baxter, M. Garland, J. Owens: Work-efficient
// parallel GPU methods for single-source shortest paths (IPDPS 2014) and no difference between light and heavy edges.
// A vertex waits if its distance is less than it was when its edges were last followed. `relax` follows the edges of
// all that wait in the bucket. Whoever makes a vertex wait puts it into the queue, so it is there once. `expand` turns
// the queue into runs of at most RUN edges, so that a vertex with many edges is shared out. When nothing in the bucket
// waits, `bucket` collects the next one from all vertices.
program sssp;

const u32 INF = 0xffffffff;
const u32 RUN = 512;

param u32 n;
param u32 source;
param u32 delta = 32;
in u32 row[n + 1];
in u32 col[];
in u32 weight[len(col)];
out u32 dist[n];
scratch u32 followed[n]; // ~ of the distance at which a vertex's edges were last followed
scratch u32 queue[n];
scratch u32 queued[1]; // how many ever were
scratch u32 first[n + len(col) / RUN]; // runs of edges, and the distance of the vertex that they leave
scratch u32 last[n + len(col) / RUN];
scratch u32 away[n + len(col) / RUN];
scratch u32 cut[1]; // how many runs ever were

fn u32 runs_of(u32 v) {
    let edges = row[v + 1] - row[v];
    return edges / RUN + u32(edges % RUN != 0);
}

// Cuts the edges of v, now d away, into runs; `base` of all runs are done.
fn expand(u32 v, u32 d, u32 base) {
    followed[v] = ~d;
    let begin = row[v];
    let end = row[v + 1];
    let runs = runs_of(v);
    let place = atomic_add(cut[0], runs) - base;
    for k in 0 .. runs {
        first[place + k] = begin + k * RUN;
        last[place + k] = min(begin + (k + 1) * RUN, end);
        away[place + k] = d;
    }
}

kernel {
    forall v in 0 .. n {
        dist[v] = select(v == source, 0, INF);
    }
    let width = max(delta, 1);
    var u32 base = 0; // runs that are done
    var u32 taken = 0; // of the queue
    var u32 near = 0; // the least distance that waits
    while near != INF {
        let high = near + min(width, INF - near); // the bucket is [near, high)
        var u32 runs = 0;
        near = INF;
        region "bucket" {
            forall v in 0 .. n reduce(add runs, min near) {
                let d = dist[v];
                if d < ~followed[v] {
                    if d < high {
                        runs = runs_of(v);
                        expand(v, d, base);
                    } else {
                        near = d;
                    }
                }
            }
        }
        while runs != 0 {
            var u32 waiting = 0;
            region "relax" {
                forall k in 0 .. runs reduce(add waiting, min near) {
                    let d = away[k];
                    for e in first[k] .. last[k] {
                        let w = col[e];
                        let to = d + min(weight[e], INF - d);
                        if to < atomic_load(dist[w]) {
                            let old = atomic_min(dist[w], to);
                            if to < old {
                                if to >= high {
                                    near = min(near, to);
                                } else if old >= high || old >= ~followed[w] {
                                    queue[atomic_add(queued[0], 1) - taken] = w;
                                    waiting += 1;
                                }
                            }
                        }
                    }
                }
            }
            base += runs;
            runs = 0;
            region "expand" {
                forall k in 0 .. waiting reduce(add runs) {
                    let v = queue[k];
                    runs = runs_of(v);
                    expand(v, dist[v], base);
                }
            }
            taken += waiting;
        }
    }
}
