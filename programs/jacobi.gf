//! args --set w=5 --set h=4 --set tol=0 --set max_iter=3 --in u=16,16,16,16,16,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0 --in f=0,0,0,0,0,0,0,0,0,0,0,0,4,0,0,0,0,0,0,0
//! out u: 16 16 16 16 16 0 5.875 7 5.875 0 0 1.75 3.1875 1.75 0 0 0 0 0 0
//! out iterations: 3
//! out change: 1.1875
//! converged no
//! order-free yes
//! case nothing to do
//! args --set w=3 --set h=3 --set every=1 --in u=fill:2 --in f=fill:0
//! out u: 2 2 2 2 2 2 2 2 2
//! out iterations: 1
//! out change: 0
//! converged yes
//! case a look after every second iteration
//! args --set w=3 --set h=3 --set every=2 --set max_iter=7 --in u=0,0,0,0,4,0,0,0,0 --in f=fill:0
//! out u: 0 0 0 0 0 0 0 0 0
//! out iterations: 2
//! out change: 0
//! converged yes
//! case nothing but borders
//! args --set w=2 --set h=3 --in u=1,2,3,4,5,6 --in f=fill:0
//! out u: 1 2 3 4 5 6
//! out iterations: 0
//
// Jacobi iteration for the five-point Laplacian on a w x h grid with fixed borders, until no point changes by more
// than tol, or max_iter times (tol 0: exactly so often, if the points keep changing).
//
// Shapes: u[h][w] row by row: first guess and borders in, solution out. f[h][w]: right side times the square of the
// spacing, so that u = (left + right + up + down + f) / 4. iterations[0]; change[0]: the largest change of the last
// iteration. `every`: the change is looked at after so many iterations.
// Complexity: w * h per iteration; of the order of max(w, h)^2 iterations.
// Algorithm: C. G. J. Jacobi (1845); R. S. Varga: Matrix Iterative Analysis (1962). Two buffers trade names after each
// iteration, and no data moves. The space is the inner points, so that a row of them is one straight loop.
program jacobi;

param u32 w;
param u32 h;
param f32 tol = 1e-5;
param u32 max_iter = 10000;
param u32 every = 10;
in f32 f[w * h];
inout f32 u[w * h];
out u32 iterations[1];
out f32 change[1];
scratch f32 other[w * h];

fn f32 relax(u32 i) {
    return 0.25 * (u[i - 1] + u[i + 1] + u[i - w] + u[i + w] + f[i]);
}

kernel (max(w, 2) - 2, max(h, 2) - 2) workgroup(256, 1) {
    let i = (gid.y + 1) * w + gid.x + 1;
    region "borders" {
        forall x in 0 .. w {
            other[x] = u[x];
            other[w * h - w + x] = u[w * h - w + x];
        }
        forall y in 1 .. h - 1 {
            other[y * w] = u[y * w];
            other[y * w + w - 1] = u[y * w + w - 1];
        }
    }
    var u32 it = 0;
    var f32 worst = tol + 1.0;
    while it < max_iter && worst > tol {
        let blind = min(max(every, 1), max_iter - it) - 1;
        region "sweep" {
            for turn in 0 .. blind {
                other[i] = relax(i);
                swap(u, other);
            }
        }
        region "sweep and look" {
            let next = relax(i);
            let d = abs(next - u[i]);
            other[i] = next;
            worst = grid_max(d);
        }
        swap(u, other);
        it += blind + 1;
    }
    converged(worst <= tol);
    if gid.linear == 0 {
        iterations[0] = it;
        change[0] = worst;
    }
}
