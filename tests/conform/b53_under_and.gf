// A grid operation under && is refused, with the fix.
//! args --set n=4
//! status 1
//! error GF0306
//! stderr let
program b53;

param u32 n;
out   u32 y[n];

kernel (n) workgroup(2) {
    var u32 it = 0;
    var bool grew = true;
    while it < n && grid_any(grew) {
        y[gid.x] += 1;
        grew = false;
        it += 1;
    }
}
