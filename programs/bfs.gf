//! args --set n=8 --set source=0 --in row=0,2,3,5,6,6,6,7,8 --in col=1,2,3,3,4,5,7,0 --in in_row=0,1,2,3,5,6,7,7,8 --in in_col=7,0,0,1,2,2,3,6
//! out level: 0 1 1 2 2 3 4294967295 4294967295
//! out levels: 4
//! converged null
//! order-free no
//! case from another vertex, no in-edges given
//! args --set n=8 --set source=6 --in row=0,2,3,5,6,6,6,7,8 --in col=1,2,3,3,4,5,7,0 --in in_row=0 --in in_col=0
//! out level: 2 3 3 4 4 5 0 1
//! out levels: 6
//! case from a vertex without edges
//! args --set n=8 --set source=4 --in row=0,2,3,5,6,6,6,7,8 --in col=1,2,3,3,4,5,7,0 --in in_row=0 --in in_col=0
//! out level: 4294967295 4294967295 4294967295 4294967295 0 4294967295 4294967295 4294967295
//! out levels: 1
//! case always by pull where it is allowed
//! args --set n=8 --set source=6 --set alpha=1000 --set beta=1000 --in row=0,2,3,5,6,6,6,7,8 --in col=1,2,3,3,4,5,7,0 --in in_row=0,1,2,3,5,6,7,7,8 --in in_col=7,0,0,1,2,2,3,6
//! out level: 2 3 3 4 4 5 0 1
//! out levels: 6
//! case a source that is no vertex
//! args --set n=2 --set source=2 --in row=0,1,2 --in col=1,0 --in in_row=0,1,2 --in in_col=1,0
//! out level: 4294967295 4294967295
//! out levels: 0
//
// Breadth-first search by levels: level[v] becomes the number of hops from `source`, INF where there is no path.
//
// Shapes: a directed graph of n vertices and m edges as CSR: row[n + 1], col[m]; in_row[n + 1], in_col[m] are the CSR
// of the reversed graph. For an undirected graph bind the same arrays to both; they may share memory. With an in_row
// that is shorter than n + 1 (one element) nothing is pulled. level[n]; levels[0] counts the levels that are not
// empty.
// Complexity: a pushed level costs its edges, a pulled one n and the edges up to the first that comes from the level
// before; each vertex is pushed or pulled once. n + m at most, beside n for each pulled level.
// Algorithm: S. Beamer, K. Asanovic, D. Patterson: Direction-optimizing breadth-first search (SC 2012). A level goes
// by push from a queue while it is small; by pull into the vertices not yet seen once its edges are more than 1 /
// alpha of those not yet looked at, and back when it holds less than 1 / beta of the vertices and shrinks. The queue
// holds not vertices but runs of at most RUN edges, so that a vertex with many edges is shared out, and what a run finds
// is put into the queue together. Which of two edges finds a vertex depends on the order of the atomics, the level does
// not.
//
//   gridfence run bfs.gf --csr row,col,n=g.mtx --csr in_row,in_col=g.mtx --transpose --set source=0 --out level=-
program bfs;

const u32 INF = 0xffffffff;
const u32 BITS = 32;
const u32 RUN = 64; // edges that one invocation follows

param u32 n;
param u32 source;
param u32 alpha = 15;
param u32 beta = 18;
in u32 row[n + 1];
in u32 col[];
in u32 in_row[];
in u32 in_col[];
out u32 level[n];
out u32 levels[1];
scratch u32 first[n + len(col) / RUN]; // the queue: runs of edges, those of a level behind those of the one before
scratch u32 last[n + len(col) / RUN];
scratch u32 queued[1];
scratch u32 front[n / BITS + 1]; // while pulling: a bit per vertex, is it of the last level?
scratch u32 next[n / BITS + 1];
scratch u32 unseen[n / BITS + 1]; // and: has it no level yet, and edges that could give it one?

fn u32 runs_of(u32 edges) {
    return edges / RUN + u32(edges % RUN != 0);
}

// Puts the edges of a vertex into the queue, from `place` on, and says where they end.
fn u32 put_runs(u32 begin, u32 end, u32 place) {
    let runs = runs_of(end - begin);
    for k in 0 .. runs {
        let at = begin + k * RUN;
        first[place + k] = at;
        last[place + k] = at + min(RUN, end - at);
    }
    return place + runs;
}

// Appends the edges of a vertex to the queue.
fn enqueue(u32 begin, u32 end) {
    let place = put_runs(begin, end, atomic_add(queued[0], runs_of(end - begin)));
}

kernel {
    forall v in 0 .. n {
        level[v] = select(v == source, 0, INF);
    }
    let start = select(source < n, row[source], 0);
    var u32 frontier_edges = select(source < n, row[source + 1], 0) - start; // of the last level
    var u32 begin = 0; // its runs in the queue
    var u32 end = runs_of(frontier_edges);
    enqueue(start, start + frontier_edges);
    var u32 edges_before = 0; // frontier_edges a level ago
    var u32 edges_left = len(col) - frontier_edges;
    var u32 depth = 0;
    var bool more = source < n;
    while more {
        if len(in_row) > n && frontier_edges > edges_before && frontier_edges > edges_left / alpha {
            region "mark" {
                forall word in 0 .. n / BITS + 1 {
                    var u32 bits = 0;
                    var u32 left = 0;
                    for b in 0 .. min(BITS, n - word * BITS) {
                        let v = word * BITS + b;
                        bits |= u32(level[v] == depth) << b;
                        left |= u32(level[v] == INF && in_row[v] < in_row[v + 1]) << b;
                    }
                    front[word] = bits;
                    unseen[word] = left;
                }
            }
            var u32 found = 0;
            var bool pull = true;
            while pull {
                let before = found;
                found = 0;
                region "pull" {
                    forall word in 0 .. n / BITS + 1 reduce(add found) {
                        var u32 bits = 0;
                        var u32 left = unseen[word];
                        while left != 0 {
                            let b = ctz(left);
                            let v = word * BITS + b;
                            left &= left - 1;
                            for e in in_row[v] .. in_row[v + 1] {
                                let u = in_col[e];
                                if (front[u / BITS] >> u % BITS & 1) != 0 {
                                    level[v] = depth + 1;
                                    bits |= 1 << b;
                                    break;
                                }
                            }
                        }
                        unseen[word] &= ~bits;
                        next[word] = bits;
                        found = popcount(bits);
                    }
                }
                swap(front, next);
                depth += 1;
                pull = found != 0 && (found >= before || found > n / beta);
            }
            more = found != 0;
            begin = end;
            frontier_edges = 0;
            region "collect" {
                forall word in 0 .. n / BITS + 1 reduce(add end, add frontier_edges) {
                    var u32 left = front[word];
                    while left != 0 {
                        let v = word * BITS + ctz(left);
                        left &= left - 1;
                        let edges = row[v + 1] - row[v];
                        frontier_edges += edges;
                        end += runs_of(edges);
                    }
                    var u32 place = 0;
                    if end != 0 {
                        place = atomic_add(queued[0], end);
                    }
                    left = front[word];
                    while left != 0 {
                        let v = word * BITS + ctz(left);
                        left &= left - 1;
                        place = put_runs(row[v], row[v + 1], place);
                    }
                }
            }
            edges_left -= min(frontier_edges, edges_left); // those of the levels between count as left
            edges_before = INF; // at least one level by push
        } else {
            edges_before = frontier_edges;
            frontier_edges = 0;
            more = false;
            let tail = end;
            region "push" {
                forall k in begin .. tail reduce(or more, add end, add frontier_edges) {
                    let from = first[k];
                    var u64 found = 0; // a bit for each of the edges
                    var u32 runs = 0;
                    for e in from .. last[k] {
                        let w = col[e];
                        if atomic_load(level[w]) == INF && atomic_compare_exchange(level[w], INF, depth + 1) == INF {
                            let edges = row[w + 1] - row[w];
                            found |= u64(1) << e - from;
                            frontier_edges += edges;
                            runs += runs_of(edges);
                        }
                    }
                    more = found != 0;
                    end = runs;
                    if runs != 0 {
                        var u32 place = atomic_add(queued[0], runs);
                        while found != 0 {
                            let w = col[from + u32(ctz(found))];
                            found &= found - 1;
                            place = put_runs(row[w], row[w + 1], place);
                        }
                    }
                }
            }
            begin = tail;
            edges_left -= frontier_edges;
            depth += 1;
        }
    }
    levels[0] = depth;
}
