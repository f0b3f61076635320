// One barrier in a loop of the workgroup: the back edge is another.
//! out x: 3 3 3 3
program back_edge_group;
shared u32 w[4];
out u32 x[4];
kernel groups(1) workgroup(4) {
    for t in 0 .. 3 {
        w[lid.x] = t;
        barrier;
        x[gid.x] += w[3 - lid.x];
    }
}
