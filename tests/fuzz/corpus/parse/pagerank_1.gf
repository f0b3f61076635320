// PageRank by pull to an L1 residual. CSR of the in-edges; out-degrees are counted here.
program pagerank;

param   u32 n;
param   f32 damping = 0.85;
param   f32 tol = 1e-6;
param   u32 max_iter = 100;
in      u32 row[n + 1];
in      u32 col[];
out     f32 score[n];                         // `rank` is a built-in name
out     u32 iterations[1];
out     f32 residual[1];
scratch u32 degree[n];
scratch f32 share[n];                         // score / degree

kernel (n) {
    let v = gid.x;
    let base = 1.0 / f32(n);
    for e in row[v] .. row[v + 1] { atomic_add(degree[col[e]], 1); }
    grid_barrier;
    let deg = degree[v];
    var f32 mine = base;
    var f32 change = tol + 1.0;               // grid-level
    var u32 it = 0;                           // grid-level
    while it < max_iter && change > tol {
        share[v] = select(deg == 0, 0.0, mine / f32(deg));
        let dangling = grid_add(select(deg == 0, mine, 0.0));   // the barrier that share[] needs, too
        var f32 sum = 0.0;
        for e in row[v] .. row[v + 1] { sum += share[col[e]]; }
        let next = (1.0 - damping) * base + damping * (sum + dangling * base);
        change = grid_add(abs(next - mine));
        mine = next;
        it += 1;
    }
    score[v] = mine;
    if v == 0 { iterations[0] = it; residual[0] = change; }
}
