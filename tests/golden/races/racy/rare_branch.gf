// The branch that races is taken for some input only.
//! case taken
//! args --in k=9
//! race y write read
//! case not_taken
//! args --in k=1
//! out x: 1 1 1 1
program rare_branch;
in u32 k[1];
scratch u32 y[4];
out u32 x[4];
kernel (4) workgroup(2) {
    y[gid.x] = 1; // @write
    var u32 from = gid.x;
    if k[0] > 5 {
        from = 3 - gid.x;
    }
    x[gid.x] = y[from]; // @read
}
