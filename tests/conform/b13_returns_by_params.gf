// The range of `returns` from params; empty is fine.
//! args --set a=1 --set b=4
//! out y: 1 4 9
//! case all
//! args --set a=0 --set b=6
//! out y: 0 1 4 9 16 25
//! case empty
//! args --set a=3 --set b=3
//! out y:
//! case outside
//! args --set a=3 --set b=7
//! status 2
//! error GF0730
program b13_params;

param u32 a;
param u32 b;
out   u32 y[6] returns(a .. b);

kernel (6) workgroup(4) {
    y[gid.x] = gid.x * gid.x;
}
