//! args --set n=3 --in x=0,1,2,3,4,5,6,7 --checked
//! status 6
//! error GF0706
//! stderr invocation (2, 2) is at `x[8]`, which is out of bounds: its length is 8
//! strategies native host resident
//! case nothing wrong
//! args --set n=2 --in x=0,1,2,3,4,5,6,7 --checked
//! out y: 0
//! strategies native host resident
// Of what is loaded nothing comes, so plans leave it out; in checked mode it fails all the same, on either side of a
// barrier of the grid and of the workgroup.
program checked_without_effect;

param u32 n;
in u32 x[8];
out u32 y[1];
shared u32 kept[15];

kernel (n, 3) workgroup(3, 5) {
    grid_barrier;
    group if true {
        barrier;
        let unused = kept[x[gid.linear] % 15];
    }
}
