// Conjugate gradient by foralls that reduce: no per-invocation state crosses a barrier, any launch width.
program cg;

param   u32 n;
param   f32 tol = 1e-6;
param   u32 max_iter = 1000;
in      u32 row[n + 1];
in      u32 col[];
in      f32 val[len(col)];
in      f32 b[n];
inout   f32 x[n];
out     u32 iterations[1];
out     f32 residual[1];
scratch f32 r[n];
scratch f32 p[n];
scratch f32 q[n];

kernel {
    var f32 rr = 0.0;
    var u32 it = 0;
    forall v in 0 .. n reduce(add rr) {
        var f32 s = b[v];
        for e in row[v] .. row[v + 1] { s -= val[e] * x[col[e]]; }
        r[v] = s;
        p[v] = s;
        rr += s * s;
    }
    let goal = tol * tol * rr;
    while it < max_iter && rr > goal {
        var f32 pq = 0.0;
        forall v in 0 .. n reduce(add pq) {
            var f32 s = 0.0;
            for e in row[v] .. row[v + 1] { s += val[e] * p[col[e]]; }
            q[v] = s;
            pq += p[v] * s;
        }
        let alpha = rr / pq;
        var f32 next = 0.0;
        forall v in 0 .. n reduce(add next) {
            x[v] += alpha * p[v];
            let s = r[v] - alpha * q[v];
            r[v] = s;
            next += s * s;
        }
        let beta = next / rr;
        forall v in 0 .. n { p[v] = r[v] + beta * p[v]; }
        rr = next;
        it += 1;
    }
    forall one in 0 .. 1 { iterations[0] = it; residual[0] = rr; }   // who makes a plain store here?
}
