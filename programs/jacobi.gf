//! args --set w=5 --set h=4 --set tol=0 --set max_iter=3 --in u=16,16,16,16,16,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0 --in f=0,0,0,0,0,0,0,0,0,0,0,0,4,0,0,0,0,0,0,0
//! out u: 16 16 16 16 16 0 5.875 7 5.875 0 0 1.75 3.1875 1.75 0 0 0 0 0 0
//! out iterations: 3
//! out change: 1.1875
//! converged no
//! order-free yes
//! case nothing to do
//! args --set w=3 --set h=3 --in u=fill:2 --in f=fill:0
//! out u: 2 2 2 2 2 2 2 2 2
//! out iterations: 1
//! out change: 0
//! converged yes
//
// Jacobi iteration for the five-point Laplacian on a w x h grid with fixed borders, until no point changes by more than
// tol.
//
// Shapes: u[h][w] row by row: first guess and borders in, solution out. f[h][w]: right side times the square of the
// spacing, so that u = (left + right + up + down + f) / 4. iterations[0]; change[0]: the largest change of the last
// iteration.
// Complexity: w * h per iteration; of the order of max(w, h)^2 iterations.
// Algorithm: C. G. J. Jacobi (1845); R. S. Varga: Matrix Iterative Analysis (1962). Two buffers trade names after each
// iteration, and no data moves.
program jacobi;

param u32 w;
param u32 h;
param f32 tol = 1e-5;
param u32 max_iter = 10000;
in f32 f[w * h];
inout f32 u[w * h];
out u32 iterations[1];
out f32 change[1];
scratch f32 other[w * h];

kernel (w, h) workgroup(16, 16) {
    let x = gid.x;
    let y = gid.y;
    let i = y * w + x;
    let inner = x > 0 && y > 0 && x + 1 < w && y + 1 < h;
    other[i] = u[i]; // the borders, once
    var u32 it = 0;
    var f32 worst = tol + 1.0;
    while it < max_iter && worst > tol {
        var f32 d = 0.0;
        if inner {
            let next = 0.25 * (u[i - 1] + u[i + 1] + u[i - w] + u[i + w] + f[i]);
            d = abs(next - u[i]);
            other[i] = next;
        }
        worst = grid_max(d);
        swap(u, other);
        it += 1;
    }
    converged(worst <= tol);
    if i == 0 {
        iterations[0] = it;
        change[0] = worst;
    }
}
