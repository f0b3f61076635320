//! args --set n=4 --set damping=0.5 --set max_iter=2 --in row=0,1,3,5,5 --in col=2,0,2,0,1
//! out score: 0.23046875 0.28515625 0.33984375 0.14453125
//! out iterations: 2
//! out residual: 0.03125
//! converged no
//! order-free yes
//! case a ring is stable at once
//! args --set n=4 --in row=0,1,2,3,4 --in col=3,0,1,2
//! out score: 0.25 0.25 0.25 0.25
//! out iterations: 1
//! out residual: 0
//! converged yes
//
// PageRank: the stationary distribution of a random surfer, to an L1 residual of tol.
//
// Shapes: n pages; the links INTO page v are col[row[v] .. row[v + 1]] (CSR of the transposed graph). score[n] sums to
// 1; iterations[0] and residual[0] say how it ended.
// Complexity: n + m per iteration; the residual shrinks at least by the factor `damping` each time.
// Algorithm: power iteration by pull, after L. Page, S. Brin, R. Motwani, T. Winograd: The PageRank citation ranking
// (1999). The score of pages without links out is spread over all pages. Sums have one fixed order, so the scores are
// the same bits on every device.
program pagerank;

param u32 n;
param f32 damping = 0.85;
param f32 tol = 1e-6;
param u32 max_iter = 100;
in u32 row[n + 1];
in u32 col[];
out f32 score[n];
out u32 iterations[1];
out f32 residual[1];
scratch u32 degree[n]; // links out
scratch f32 share[n]; // score / degree

kernel {
    let base = 1.0 / f32(n);
    forall v in 0 .. n {
        score[v] = base;
        for e in row[v] .. row[v + 1] {
            atomic_add(degree[col[e]], 1);
        }
    }
    var f32 change = tol + 1.0;
    var u32 it = 0;
    while it < max_iter && change > tol {
        var f32 dangling = 0.0;
        region "share" {
            forall v in 0 .. n reduce(add dangling) {
                let d = degree[v];
                if d == 0 {
                    share[v] = 0.0;
                    dangling = score[v];
                } else {
                    share[v] = score[v] / f32(d);
                }
            }
        }
        change = 0.0;
        region "pull" {
            forall v in 0 .. n reduce(add change) {
                var f32 sum = 0.0;
                for e in row[v] .. row[v + 1] {
                    sum += share[col[e]];
                }
                let next = (1.0 - damping) * base + damping * (sum + dangling * base);
                change = abs(next - score[v]);
                score[v] = next;
            }
        }
        it += 1;
    }
    converged(change <= tol);
    iterations[0] = it;
    residual[0] = change;
}
