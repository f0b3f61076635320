// The first pass is clean; the race comes with what it leaves behind.
//! args --passes 2
//! race y write read
//! args --in it=0
program second_pass;
inout u32 it[1];
scratch u32 y[4];
out u32 x[4];
kernel (4) workgroup(2) fixpoint(2) on (it) {
    let turn = it[0];
    if turn == 1 {
        y[gid.x] = 1; // @write
        x[gid.x] = y[3 - gid.x]; // @read
    }
    grid_barrier;
    if gid.x == 0 {
        it[0] = turn + 1;
    }
}
