// A path of 1500, one step a pass, needs 1500 passes: a limit that is met before is reported as not converged, never as
// success.
//! long
//! args --set n=1500
//! out last: 1499
//! out front: 1499
//! passes 1500
//! converged yes
//! order-free yes
//! case the limit
//! args --set n=1500 --passes 1000
//! out last: 0
//! out front: 1000
//! passes 1000
//! converged no
//! case required
//! args --set n=1500 --passes 1000 --require-converged
//! status 5
//! error GF0729
program anchor57;

param   u32 n;
out     u32 last[1];
out     u32 front[1];
scratch u32 d[n];

kernel (4) workgroup(2) fixpoint(100000) on (d) {
    let f = front[0];
    grid_barrier;
    if gid.x == 3 && f + 1 < n {
        d[f + 1] = f + 1;
        front[0] = f + 1;
    }
    if gid.x == 3 { last[0] = d[n - 1]; }
}
