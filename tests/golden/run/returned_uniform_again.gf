// A value of the workgroup that is computed again behind a cut is computed for those who have returned too: what is
// uniform because it is must not become that of the last lane.
//! args --set n=2 --in b=31,77
//! out b: 58 77
//! order-free yes
program returned_uniform_again;

param u32 n;
inout u32 b[n];
shared i16 w[1];

kernel (n) workgroup(256) {
    var i32 one = 1 << wid.z;
    if gid.x != 0 {
        return;
    }
    let before = grid_scan_add(0);
    var i32 more = one;
    barrier;
    w[0] += more;
    grid_barrier;
    let found = w[0];
    b[0] ^= u32(found) * 37 + before;
}
