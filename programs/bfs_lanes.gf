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
//! case a vertex whose edges make pieces
//! args --set n=3 --set source=0 --in row=0,700,700,700 --in col=fill:2 --size col=700 --in in_row=0 --in in_col=0
//! out level: 0 4294967295 1
//! out levels: 2
//
// Breadth-first search as in bfs.gf, for GPUs: the edges of a vertex are followed by as many threads as a warp has.
//
// Shapes: a directed graph of n vertices and m edges as CSR: row[n + 1], col[m]; in_row[n + 1], in_col[m] are the CSR
// of the reversed graph. For an undirected graph bind the same arrays to both; they may share memory. With an in_row
// that is shorter than n + 1 (one element) nothing is pulled. level[n]; levels[0] counts the levels that are not
// empty. n is below 2^27.
// Complexity: a pushed level costs its edges, a pulled one n and the edges up to the first that comes from the level
// before; each vertex is pushed or pulled once. n + m at most, beside n for each pulled level.
// Algorithm: S. Beamer, K. Asanovic, D. Patterson: Direction-optimizing breadth-first search (SC 2012). A level goes
// by push from a queue while it is small; by pull into the vertices not yet seen once its edges are more than 1 /
// alpha of those not yet looked at, and back when it holds less than 1 / beta of the vertices and shrinks. A pulled
// level costs little where thousands of threads look at vertices, and a queue much, which all of them write to: so it
// is back later than on a CPU. LANES neighbours follow the edges of a vertex; many edges are cut into pieces, which
// are followed as vertices are. Which of two edges finds a vertex depends on the order of the atomics, the level does
// not.
//
//   gridfence run bfs_lanes.gf --csr row,col,n=g.mtx --csr in_row,in_col=g.mtx --transpose --set source=0 --out level=-
program bfs_lanes;

const u32 INF = 0xffffffff;
const u32 LANES = 32; // that follow the edges of a vertex, or a piece of them
const u32 PIECE = 256; // edges; where a vertex has more they are cut into pieces of so many

param u32 n;
param u32 source;
param u32 alpha = 15;
param u32 beta = 1024;
in u32 row[n + 1];
in u32 col[];
in u32 in_row[];
in u32 in_col[];
out u32 level[n];
out u32 levels[1];
scratch u32 first[n]; // the queue: edges of vertices, those of a level behind those of the one before
scratch u32 last[n];
scratch u32 place[n]; // of a vertex with many edges: where its pieces begin
scratch u32 piece_first[len(col) / PIECE * 2 + 1]; // edges of a piece
scratch u32 piece_last[len(col) / PIECE * 2 + 1];
scratch u32 queued[1]; // vertices in the queue
scratch u32 cut[1]; // pieces that have a place

fn u32 pieces_of(u32 edges) {
    return select(edges > PIECE, (edges - 1) / PIECE + 1, 0);
}

// Appends the edges of a vertex to the queue. Gives how many they are in the lower half, the pieces that they make in
// the upper one. Adding one is what a warp can do for all its lanes together.
fn u64 enqueue(u32 from, u32 to) {
    let pieces = pieces_of(to - from);
    let k = atomic_add(queued[0], 1);
    first[k] = from;
    last[k] = to;
    if pieces != 0 {
        place[k] = atomic_add(cut[0], pieces);
    }
    return u64(pieces) << 32 | u64(to - from);
}

kernel {
    forall v in 0 .. n {
        level[v] = select(v == source, 0, INF);
    }
    var bool more = source < n;
    var u64 frontier = 0; // edges of the last level in the lower half, their pieces in the upper one
    region "source" {
        forall v in source .. source + u32(more) reduce(add frontier) {
            frontier = enqueue(row[v], row[v + 1]);
        }
    }
    var u32 frontier_edges = u32(frontier);
    var u32 begin = 0; // its vertices in the queue
    var u32 end = u32(more);
    var u32 pieces = 0; // where those of the levels before end
    var u32 edges_before = 0; // frontier_edges a level ago
    var u32 edges_left = len(col) - frontier_edges;
    var u32 depth = 0;
    while more {
        if len(in_row) > n && frontier_edges > edges_before && frontier_edges > edges_left / alpha {
            var u32 found = 0;
            var bool pull = true;
            while pull {
                let before = found;
                found = 0;
                region "pull" {
                    forall v in 0 .. n reduce(add found) {
                        let from = in_row[v];
                        let to = in_row[v + 1];
                        if atomic_load(level[v]) == INF {
                            for e in from .. to {
                                if atomic_load(level[in_col[e]]) == depth {
                                    atomic_store(level[v], depth + 1);
                                    found = 1;
                                    break;
                                }
                            }
                        }
                    }
                }
                depth += 1;
                pull = found != 0 && (found >= before || found > n / beta);
            }
            more = found != 0;
            begin = end;
            end += found;
            pieces += u32(frontier >> 32);
            frontier = 0;
            region "collect" {
                forall v in 0 .. n reduce(add frontier) {
                    if level[v] == depth {
                        frontier = enqueue(row[v], row[v + 1]);
                    }
                }
            }
            frontier_edges = u32(frontier);
            edges_left -= min(frontier_edges, edges_left); // those of the levels between count as left
            edges_before = INF; // at least one level by push
        } else {
            edges_before = frontier_edges;
            let first_piece = pieces;
            pieces += u32(frontier >> 32);
            frontier = 0;
            let tail = end;
            region "push" {
                forall i in begin * LANES .. tail * LANES reduce(add end, add frontier) {
                    let k = i / LANES;
                    let lane = i % LANES;
                    let from = first[k];
                    let to = last[k];
                    if to - from > PIECE {
                        let at = place[k];
                        for p in lane .. pieces_of(to - from) step LANES {
                            piece_first[at + p] = from + p * PIECE;
                            piece_last[at + p] = min(to, from + (p + 1) * PIECE);
                        }
                    } else {
                        for e in from + lane .. to step LANES {
                            let w = col[e];
                            if atomic_load(level[w]) == INF {
                                let begins = row[w]; // asked for while the level is not known to be ours
                                let ends = row[w + 1];
                                if atomic_compare_exchange(level[w], INF, depth + 1) == INF {
                                    end += 1;
                                    frontier += enqueue(begins, ends);
                                }
                            }
                        }
                    }
                }
            }
            if pieces != first_piece {
                region "pieces" {
                    forall i in first_piece * LANES .. pieces * LANES reduce(add end, add frontier) {
                        let p = i / LANES;
                        for e in piece_first[p] + i % LANES .. piece_last[p] step LANES {
                            let w = col[e];
                            if atomic_load(level[w]) == INF {
                                let begins = row[w]; // asked for while the level is not known to be ours
                                let ends = row[w + 1];
                                if atomic_compare_exchange(level[w], INF, depth + 1) == INF {
                                    end += 1;
                                    frontier += enqueue(begins, ends);
                                }
                            }
                        }
                    }
                }
            }
            begin = tail;
            more = end != tail;
            frontier_edges = u32(frontier);
            edges_left -= frontier_edges;
            depth += 1;
        }
    }
    levels[0] = depth;
}
