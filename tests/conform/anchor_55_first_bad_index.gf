// n = 10, each item reads a[i + 5] in checked mode: the first bad index, 10, and the buffer are named.
//! args --in a=iota --size a=10 --checked
//! status 6
//! error GF0706
//! stderr a[10]
//! races no
program anchor55;

in  u32 a[];
out u32 y[10];

kernel (10) workgroup(4) {
    y[gid.x] = a[gid.x + 5];
}
