// A scatter through an index that names one place twice: a race by the data.
//! case twice
//! args --in to=0,1,2,1
//! race x store store
//! case a_permutation
//! args --in to=3,1,2,0
//! out x: 3 1 2 0
program indirect_write;
in u32 to[4];
out u32 x[4];
kernel (4) workgroup(2) {
    x[to[gid.x]] = gid.x; // @store
}
