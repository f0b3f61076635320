// GF0302: what stands at grid level only.
program places;
param u32 n;
inout u32 x[n];
scratch u32 y[n];
kernel (n) {
    let v = gid.x;
    if v == 0 { forall i in 0 .. n { x[i] = 1; } }
    if n == 3 { converged(true); }
    if v == 3 { swap(x, y); }
    for i in 0 .. 3 { converged(v == 1); }
    converged(x[0] == 0);
    broadcast(x, v);
    all_reduce(x, add);
    forall i in 0 .. v { x[i] = 2; }
}
