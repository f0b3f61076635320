// An operation of the workgroup orders that workgroup, and no other.
//! stderr GF0322
//! race y write read
program group_add_alone;
scratch u32 y[4];
out u32 x[4];
kernel groups(2) workgroup(2) {
    y[gid.x] = 1; // @write
    let s = group_add(1);
    x[gid.x] = y[3 - gid.x] + s; // @read
}
