// A path of 1500 needs 1500 passes: a limit that is met is reported as not converged, never as success.
//! args --set n=1500
//! out last: 1499
//! passes 1500
//! converged yes
//! races no
//! case the limit
//! args --set n=1500 --passes 1000
//! out last: 1000000
//! passes 1000
//! converged no
//! races no
//! case required
//! args --set n=1500 --passes 1000 --require-converged
//! status 5
//! error GF0729
program anchor57;

param   u32 n;
out     u32 last[1];
scratch u32 d[n];
scratch u32 t[n];
scratch u32 begun[1];

kernel (n) workgroup(64) fixpoint(100000) on (d) {
    let v = gid.x;
    if begun[0] == 0 { d[v] = select(v == 0, 0, 1000000); }
    grid_barrier;
    if v == 0 { begun[0] = 1; }
    t[v] = d[v];
    grid_barrier;
    if v > 0 { d[v] = min(d[v], t[v - 1] + 1); }
    if v == n - 1 { last[0] = d[v]; }
}
