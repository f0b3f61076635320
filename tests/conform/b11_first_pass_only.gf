// Two passes, `out` written only in the first.
//! args --in it=0 --passes 2
//! out y: 7
//! out it: 2
//! passes 2
//! case three
//! args --in it=0 --passes 3
//! out y: 7
//! out it: 3
//! case the second alone
//! args --in it=1 --passes 2
//! out y: 0
//! out it: 3
program b11;

inout u32 it[1];
out   u32 y[1];

kernel (1) workgroup(1) {
    if it[0] == 0 { y[0] = 7; }
    grid_barrier;
    it[0] += 1;
}
