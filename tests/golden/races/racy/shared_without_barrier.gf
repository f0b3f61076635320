// A workgroup array is read before its writers are waited for.
//! race w write read
program shared_without_barrier;
shared u32 w[4];
out u32 x[8];
kernel groups(2) workgroup(4) {
    w[lid.x] = gid.x; // @write
    x[gid.x] = w[3 - lid.x]; // @read
}
