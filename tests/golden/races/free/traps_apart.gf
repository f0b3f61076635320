// Assertions that hold are silent.
//! out x: 1 1 1 1
program traps_apart;
out u32 x[4];
kernel (4) workgroup(2) {
    x[gid.x] = 1;
    assert(x[gid.x] == 1, "own");
}
