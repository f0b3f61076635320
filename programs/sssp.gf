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
// Complexity: n / 32 and those that wait per bucket that is not empty, and a vertex's edges each time its distance has
// become less when its bucket's turn comes: about (n / 32 + waiting) * buckets + m.
// Algorithm: delta-stepping, of U. Meyer, P. Sanders: Delta-stepping: a parallelizable shortest path algorithm (J.
// Algorithms 49, 2003), with the one near queue of A. Davidson, S. Baxter, M. Garland, J. Owens: Work-efficient
// parallel GPU methods for single-source shortest paths (IPDPS 2014) and no difference between light and heavy edges.
// A vertex waits if its distance is less than it was when its edges were last followed. `relax` follows the edges of
// all that wait in the bucket. Whoever makes a vertex wait puts it into the queue, so it is there once, or, where it is
// for a bucket to come, sets its bit in `waits`. `expand` turns the queue into runs of at most RUN edges, so that a
// vertex with many edges is shared out. When nothing in the bucket waits, `bucket` collects the next one from the bits.
program sssp;

const u32 INF = 0xffffffff;
const u32 RUN = 512;
const u32 BITS = 32;
const u32 FEW = 64; // edges whose vertices are put into the queue together

param u32 n;
param u32 source;
param u32 delta = 32;
in u32 row[n + 1];
in u32 col[];
in u32 weight[len(col)];
out u32 dist[n];
scratch u32 followed[n]; // ~ of the distance at which a vertex's edges were last followed
scratch u32 waits[n / BITS + 1]; // a bit per vertex: those that wait in buckets to come, and perhaps others
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

// Cuts the edges of v, now d away, into runs from `place` on, and says where they end.
fn u32 put_runs(u32 v, u32 d, u32 place) {
    followed[v] = ~d;
    let begin = row[v];
    let end = row[v + 1];
    let runs = runs_of(v);
    for k in 0 .. runs {
        first[place + k] = begin + k * RUN;
        last[place + k] = min(begin + (k + 1) * RUN, end);
        away[place + k] = d;
    }
    return place + runs;
}

kernel {
    forall v in 0 .. n {
        dist[v] = select(v == source, 0, INF);
    }
    if source < n {
        waits[source / BITS] = 1 << source % BITS;
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
            forall word in 0 .. n / BITS + 1 reduce(add runs, min near) {
                var u32 left = waits[word];
                var u32 here = 0;
                var u32 later = 0;
                while left != 0 {
                    let b = ctz(left);
                    let v = word * BITS + b;
                    let d = dist[v];
                    left &= left - 1;
                    if d >= high { // so it waits: those that were followed are nearer
                        later |= 1 << b;
                        near = min(near, d);
                    } else if d < ~followed[v] {
                        here |= 1 << b;
                        runs += runs_of(v);
                    }
                }
                waits[word] = later;
                if here != 0 {
                    var u32 place = atomic_add(cut[0], runs) - base;
                    while here != 0 {
                        let v = word * BITS + ctz(here);
                        here &= here - 1;
                        place = put_runs(v, dist[v], place);
                    }
                }
            }
        }
        while runs != 0 {
            var u32 waiting = 0;
            region "relax" {
                forall k in 0 .. runs reduce(add waiting, min near) {
                    let d = away[k];
                    let stop = last[k];
                    for few in first[k] .. stop step FEW {
                        var u64 found = 0; // a bit for each of the edges
                        for e in few .. min(few + FEW, stop) {
                            let w = col[e];
                            let to = d + min(weight[e], INF - d);
                            if to < atomic_load(dist[w]) {
                                let old = atomic_min(dist[w], to);
                                if to < old {
                                    if to >= high {
                                        near = min(near, to);
                                        if old == INF { // else it waits already
                                            atomic_or(waits[w / BITS], 1 << w % BITS);
                                        }
                                    } else if old >= high || old >= ~followed[w] {
                                        found |= u64(1) << e - few;
                                    }
                                }
                            }
                        }
                        if found != 0 {
                            let count = u32(popcount(found));
                            var u32 place = atomic_add(queued[0], count) - taken;
                            waiting += count;
                            while found != 0 {
                                queue[place] = col[few + u32(ctz(found))];
                                found &= found - 1;
                                place += 1;
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
                    let end = put_runs(v, dist[v], atomic_add(cut[0], runs) - base);
                }
            }
            taken += waiting;
        }
    }
}
