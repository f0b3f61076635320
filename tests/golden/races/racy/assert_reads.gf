// The access is in an assertion.
//! race y write read
program assert_reads;
scratch u32 y[4];
kernel (4) workgroup(2) {
    y[gid.x] = 1; // @write
    assert(y[3 - gid.x] < 9, "small"); // @read
}
