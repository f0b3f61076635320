//! args --set n=4 --set damping=0.5 --set max_iter=2 --in row=0,1,3,5,5 --in col=2,0,2,0,1 --in out_row=0,2,3,5,5
//! out score: 0.23046875 0.28515625 0.33984375 0.14453125
//! out iterations: 2
//! out residual: 0.03125
//! converged no
//! order-free yes
//! case a ring is stable at once
//! args --set n=4 --in row=0,1,2,3,4 --in col=3,0,1,2 --in out_row=0,1,2,3,4
//! out score: 0.25 0.25 0.25 0.25
//! out iterations: 1
//! out residual: 0
//! converged yes
//! case a page with more than 1024 links into it
//! args --set n=2 --set max_iter=1 --in row=0,1100,1101 --in col=fill:1 --size col=1101 --in out_row=0,0,1101
//! out score: 0.71211433 0.28788602
//! out iterations: 1
//! converged no
//
// PageRank as in pagerank.gf, for GPUs: pages with many links into them are shared out over many threads.
//
// Shapes: n pages; the links INTO page v are col[row[v] .. row[v + 1]] (CSR of the transposed graph); the links out of
// it are only counted, out_row[v + 1] - out_row[v] (row offsets of the graph as it is). score[n] sums to 1;
// iterations[0] and residual[0] say how it ended.
// Complexity: n + m per iteration, in two sweeps; the residual shrinks at least by the factor `damping` each time. Once,
// before that, some 10 n.
// Algorithm: power iteration by pull, after L. Page, S. Brin, R. Motwani, T. Winograd: The PageRank citation ranking
// (1999). The score of pages without links out is spread over all pages. A page with many links in is cut into tiles of
// at most TILE of them, which are listed once; each is summed up by LANES neighbours that take its links in turn, and
// whoever updates the page adds up what they have left. Sums have one fixed order, so the scores are the same bits on
// every device.
//
//   gridfence run pagerank_tiles.gf --csr row,col,n=g.mtx --transpose --csr out_row,-=g.mtx --out score=score.npy
program pagerank_tiles;

const u32 LONG = 64; // links from which a page is cut into tiles
const u32 LANES = 8;
const u32 TILE = 1024;

param u32 n;
param f32 damping = 0.85;
param f32 tol = 1e-6;
param u32 max_iter = 100;
in u32 row[n + 1];
in u32 col[];
in u32 out_row[n + 1];
out f32 score[n];
out u32 iterations[1];
out f32 residual[1];
scratch f32 share[n]; // score / links out: what each of them carries
scratch f32 next_share[n];

scratch u32 first[n + 1]; // tile of page v, and where those of v + 1 begin
scratch u32 begin[len(col) / LONG + 1]; // links of a tile
scratch u32 end[len(col) / LONG + 1];
scratch f32 part[(len(col) / LONG + 1) * LANES]; // what a lane's links add up to
scratch u32 count[n + 1]; // tiles of some neighbouring pages

fn u32 tiles_of(u32 links) {
    return select(links < LONG, 0, (links - 1) / TILE + 1);
}

kernel {
    let base = 1.0 / f32(n);
    var f32 lost = 0.0; // score of the pages without links out
    forall v in 0 .. n reduce(add lost) {
        let links = out_row[v + 1] - out_row[v];
        score[v] = base;
        share[v] = select(links == 0, 0.0, base / f32(links));
        lost = select(links == 0, base, 0.0);
    }
    // The tiles of some pages begin where those of all before end: few enough to add up their numbers.
    let some = u32(sqrt(f32(n))) / 4 + 1;
    let parts = n / some + u32(n % some != 0);
    var u32 tiles = 0;
    region "count" {
        forall b in 0 .. parts reduce(add tiles) {
            for v in b * some .. b * some + min(some, n - b * some) {
                tiles += tiles_of(row[v + 1] - row[v]);
            }
            count[b] = tiles;
        }
    }
    region "list" {
        forall b in 0 .. parts {
            var u32 at = 0;
            for k in 0 .. b {
                at += count[k];
            }
            for v in b * some .. b * some + min(some, n - b * some) {
                let links = row[v + 1] - row[v];
                let pieces = tiles_of(links);
                let each = (links - 1) / max(pieces, 1) + 1;
                first[v] = at;
                for k in 0 .. pieces {
                    let from = row[v] + k * each;
                    begin[at + k] = from;
                    end[at + k] = from + min(each, row[v + 1] - from);
                }
                at += pieces;
            }
            if b == parts - 1 {
                first[n] = at;
            }
        }
    }
    var f32 change = tol + 1.0;
    var u32 it = 0;
    while it < max_iter && change > tol {
        let same = (1.0 - damping) * base;
        let spread = lost * base;
        change = 0.0;
        lost = 0.0;
        region "tiles" {
            forall k in 0 .. tiles * LANES {
                var f32 sum = 0.0;
                for e in begin[k / LANES] + k % LANES .. end[k / LANES] step LANES {
                    sum += share[col[e]];
                }
                part[k] = sum;
            }
        }
        grid_barrier;
        region "pull" {
            forall v in 0 .. n reduce(add change, add lost) {
                var f32 sum = 0.0;
                let from = row[v];
                let to = row[v + 1];
                for e in from .. select(to - from < LONG, to, from) {
                    sum += share[col[e]];
                }
                for k in first[v] * LANES .. first[v + 1] * LANES {
                    sum += part[k];
                }
                let links = out_row[v + 1] - out_row[v];
                let next = same + damping * (sum + spread);
                change = abs(next - score[v]);
                lost = select(links == 0, next, 0.0);
                score[v] = next;
                next_share[v] = select(links == 0, 0.0, next / f32(links));
            }
        }
        swap(share, next_share);
        it += 1;
    }
    converged(change <= tol);
    iterations[0] = it;
    residual[0] = change;
}
