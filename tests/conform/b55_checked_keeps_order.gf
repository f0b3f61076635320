// The fault that is told is the first in the order of the program as written, though its barriers order nothing, and
// though nobody uses what is loaded there.
//! strategies native
//! args --set n=4 --set far=0 --set unused=2
//! status 0
//! races no
//! case barriers
//! strategies native
//! args --checked --set n=4 --set far=1 --set unused=0
//! status 6
//! error GF0706
//! stderr invocation 3 is at `a[4]`
//! races no
//! case unused
//! strategies native
//! args --checked --set n=4 --set far=0 --set unused=5
//! status 6
//! error GF0706
//! stderr invocation 2 is at `a[5]`
//! races no
program order;

param u32 n;
param u32 far;
param u32 unused;
out u32 a[n];
out u32 b[n];

kernel (n) {
    if gid.x == 2 {
        let nobody = a[unused];
    }
    grid_barrier;
    a[gid.x + far] = 1;
    grid_barrier;
    b[gid.x + far * 7] = 2;
}
