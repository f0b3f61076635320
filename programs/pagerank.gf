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
//
// PageRank: the stationary distribution of a random surfer, to an L1 residual of tol.
//
// Shapes: n pages; the links INTO page v are col[row[v] .. row[v + 1]] (CSR of the transposed graph); the links out of
// it are only counted, out_row[v + 1] - out_row[v] (row offsets of the graph as it is). score[n] sums to 1;
// iterations[0] and residual[0] say how it ended.
// Complexity: n + m per iteration, in one sweep; the residual shrinks at least by the factor `damping` each time.
// Algorithm: power iteration by pull, after L. Page, S. Brin, R. Motwani, T. Winograd: The PageRank citation ranking
// (1999). The score of pages without links out is spread over all pages. Sums have one fixed order, so the scores are
// the same bits on every device.
//
//   gridfence run pagerank.gf --csr row,col,n=g.mtx --transpose --csr out_row,-=g.mtx --out score=score.npy
program pagerank;

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

kernel {
    let base = 1.0 / f32(n);
    var f32 lost = 0.0; // score of the pages without links out
    forall v in 0 .. n reduce(add lost) {
        let links = out_row[v + 1] - out_row[v];
        score[v] = base;
        share[v] = select(links == 0, 0.0, base / f32(links));
        lost = select(links == 0, base, 0.0);
    }
    var f32 change = tol + 1.0;
    var u32 it = 0;
    while it < max_iter && change > tol {
        let same = (1.0 - damping) * base;
        let spread = lost * base;
        change = 0.0;
        lost = 0.0;
        region "pull" {
            forall v in 0 .. n reduce(add change, add lost) {
                var f32 sum = 0.0;
                for e in row[v] .. row[v + 1] {
                    sum += share[col[e]];
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
