//! args --set n=3 --set at=4 --checked
//! status 6
//! error GF0703
//! stderr invocation 4
//! strategies native host
//! case the trap comes later
//! args --set n=3 --set at=8 --checked
//! status 6
//! error GF0706
//! stderr invocation (1, 2) is at `y[9]`, which is out of bounds: its length is 9
//! strategies native host
// Of a trap and an access out of bounds in one stretch that of the lower invocation counts, as with two of a kind.
program checked_trap_first;

param u32 n;
param u32 at;
out u32 y[n * 3];

kernel (n, 3) workgroup(4, 4) {
    if gid.linear == at {
        trap("here", gid.linear);
    }
    y[gid.linear + 2] = 1;
}
