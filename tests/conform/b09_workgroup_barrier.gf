// A workgroup barrier under a condition on `lid` is refused; on `wid` it is fine (b09_wid_barrier).
//! args --set n=8
//! status 1
//! error GF0305
//! stderr lid
program b09_group;

param  u32 n;
out    u32 y[n];
shared u32 w[4];

kernel groups (n) workgroup(4) {
    if lid.x < 2 {
        w[lid.x] = 1;
        barrier;
    }
    y[wid.x] = w[0];
}
