// Conjugate gradient for a symmetric positive definite CSR matrix, until |r| <= tol * |r0|.
program cg;

param   u32 n;
param   f32 tol = 1e-6;
param   u32 max_iter = 1000;
in      u32 row[n + 1];
in      u32 col[];
in      f32 val[len(col)];
in      f32 b[n];
inout   f32 x[n];                             // first guess in, solution out
out     u32 iterations[1];
out     f32 residual[1];                      // |r|^2
scratch f32 p[n];

kernel (n) {
    let v = gid.x;
    var f32 xv = x[v];
    var f32 r = b[v];
    for e in row[v] .. row[v + 1] { r -= val[e] * x[col[e]]; }
    var f32 pv = r;
    var f32 rr = grid_add(r * r);             // grid-level
    let goal = tol * tol * rr;
    var u32 it = 0;                           // grid-level
    while it < max_iter && rr > goal {
        p[v] = pv;
        grid_barrier;
        var f32 q = 0.0;                      // q = A p
        for e in row[v] .. row[v + 1] { q += val[e] * p[col[e]]; }
        let pq = grid_add(pv * q);
        let alpha = rr / pq;
        xv += alpha * pv;
        r -= alpha * q;
        let next = grid_add(r * r);
        pv = r + next / rr * pv;
        rr = next;
        it += 1;
    }
    x[v] = xv;
    if v == 0 { iterations[0] = it; residual[0] = rr; }
}
