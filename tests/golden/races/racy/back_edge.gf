// The last access of one turn and the first of the next: nothing orders them over the back edge.
//! stderr GF0322
//! race y write read
program back_edge;
scratch u32 y[4];
out u32 x[4];
kernel (4) workgroup(2) {
    for t in 0 .. 3 {
        x[gid.x] += y[3 - gid.x]; // @read
        barrier;
        y[gid.x] = t; // @write
    }
}
