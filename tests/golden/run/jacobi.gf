//! case six turns
//! args --set w=5 --set h=4 --set max_iter=6 --in f=1,1,0.33333334,0.6666667,1.6666666,2.6666667,0.33333334,1.6666666,1,1.6666666,1.3333334,3,1,0,2,2,2,2.6666667,1,2 --in u=10.142858,12.142858,7.142857,2.142857,3,11.714286,2.857143,1.2857143,3.7142856,9.142858,9,10,4,8.142858,6,13.857142,8.142858,7.714286,2.4285715,10
//! out u: 10.142858 12.142858 7.142857 2.142857 3 11.714286 10.428129 8.450986 6.4737487 9.142858 9 9.654157 7.9337444 5.7372003 6 13.857142 8.142858 7.714286 2.4285715 10
//! out iterations: 6
//! out change: 0.34035587
//! order-free yes
//! passes 1
//
// Jacobi for the 5-point Laplacian with fixed borders, to a largest change of tol. Ping-pong by offset.
program jacobi;

param u32 w;
param u32 h;
param f32 tol = 1e-5;
param u32 max_iter = 10000;
in f32 f[w * h]; // right-hand side times the square of the spacing
inout f32 u[w * h]; // first guess and borders in, solution out
scratch f32 a[2 * w * h]; // both halves: there is no swap
out u32 iterations[1];
out f32 change[1];

kernel (w, h) workgroup(16, 16) {
    let x = gid.x;
    let y = gid.y;
    let i = y * w + x;
    let inner = x > 0 && y > 0 && x + 1 < w && y + 1 < h;
    let size = w * h; // wraps where the size of u would be refused
    a[i] = u[i];
    a[size + i] = u[i];
    var u32 it = 0; // grid-level
    var f32 worst = tol + 1.0; // grid-level
    while it < max_iter && worst > tol {
        let src = it % 2 * size;
        let s = src + i;
        var f32 d = 0.0;
        if inner {
            let next = 0.25 * (a[s - 1] + a[s + 1] + a[s - w] + a[s + w] + f[i]);
            a[size - src + i] = next;
            d = abs(next - a[s]);
        }
        worst = grid_max(d);
        it += 1;
    }
    u[i] = a[it % 2 * size + i];
    if i == 0 {
        iterations[0] = it;
        change[0] = worst;
    }
}
