// Two workgroups have read and one of them writes: the other one is the reader that counts.
//! stderr GF0322
//! race y read write
program third_workgroup;
scratch u32 y[1];
out u32 x[3];
kernel groups(3) workgroup(1) {
    if gid.x < 2 {
        x[gid.x] = y[0]; // @read
    }
    barrier;
    if gid.x == 1 {
        y[0] = 1; // @write
    }
}
