//! args --set n=4 --in row=0,2,5,8,10 --in col=0,1,0,1,2,1,2,3,2,3 --in val=2,-1,-1,2,-1,-1,2,-1,-1,2 --in b=1,0,0,1 --in x=0,0,0,0
//! out x: 1 1 1 1
//! out iterations: 2
//! out residual: 0
//! converged yes
//! order-free yes
//! case the guess is right already
//! args --set n=4 --in row=0,2,5,8,10 --in col=0,1,0,1,2,1,2,3,2,3 --in val=2,-1,-1,2,-1,-1,2,-1,-1,2 --in b=1,0,0,1 --in x=1,1,1,1
//! out x: 1 1 1 1
//! out iterations: 0
//! converged yes
//! case no iteration allowed
//! args --set n=1 --set max_iter=0 --in row=0,1 --in col=0 --in val=4 --in b=8 --in x=0
//! out x: 0
//! out residual: 64
//! converged no
//
// Conjugate gradient: solves A x = b for a symmetric positive definite A, until |r| <= tol * |r0|.
//
// Shapes: A is n x n as CSR: row[n + 1], col[nnz], val[nnz]. b[n]; x[n] holds the first guess and takes the solution;
// iterations[0], residual[0] = |r|^2.
// Complexity: nnz + 5 n per iteration, in three sweeps; in exact arithmetic at most n iterations.
// Algorithm: M. R. Hestenes, E. Stiefel: Methods of conjugate gradients for solving linear systems (J. Res. NBS 49,
// 1952). x moves with the next direction, when both are at hand. The scalar products are reductions of foralls, which
// have one fixed order: x is the same bits on every device.
program cg;

param u32 n;
param f32 tol = 1e-6;
param u32 max_iter = 1000;
in u32 row[n + 1];
in u32 col[];
in f32 val[len(col)];
in f32 b[n];
inout f32 x[n];
out u32 iterations[1];
out f32 residual[1];
scratch f32 r[n];
scratch f32 p[n];
scratch f32 q[n];

kernel {
    var f32 rr = 0.0;
    forall v in 0 .. n reduce(add rr) {
        var f32 s = b[v];
        for e in row[v] .. row[v + 1] {
            s -= val[e] * x[col[e]];
        }
        r[v] = s;
        p[v] = s;
        rr = s * s;
    }
    let goal = tol * tol * rr;
    var u32 it = 0;
    while it < max_iter && rr > goal {
        var f32 pq = 0.0;
        region "q = A p" {
            forall v in 0 .. n reduce(add pq) {
                var f32 s = 0.0;
                for e in row[v] .. row[v + 1] {
                    s += val[e] * p[col[e]];
                }
                q[v] = s;
                pq = p[v] * s;
            }
        }
        let alpha = rr / pq;
        var f32 next = 0.0;
        region "residual" {
            forall v in 0 .. n reduce(add next) {
                let s = r[v] - alpha * q[v];
                r[v] = s;
                next = s * s;
            }
        }
        let beta = next / rr;
        region "step" {
            forall v in 0 .. n {
                let d = p[v];
                x[v] += alpha * d;
                p[v] = r[v] + beta * d;
            }
        }
        rr = next;
        it += 1;
    }
    converged(rr <= goal);
    iterations[0] = it;
    residual[0] = rr;
}
