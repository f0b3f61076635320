// Indirect counts are a use of their buffer, read once, before the first pass: writing it changes nothing in this run.
//! args --in counts=9,2,1,1 --passes 2
//! out y: 2 2 2 2 2 2 0 0 0 0
//! out counts: 9 3 3 1
//! passes 2
program b24_indirect;

inout u32 counts[4];
out   u32 y[10];

kernel indirect(counts, 1) workgroup(3) {
    y[gid.x] += 1;
    grid_barrier;
    if gid.x == 0 { counts[1] = 3; counts[2] = 3; }
}
