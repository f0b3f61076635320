// The default is one pass; a budget of N runs the whole sequence N times, not one segment N times.
//! args --in acc=0 --in order=fill:0 --size order=8
//! out acc: 2
//! out order: 1 2 0 0 0 0 0 0
//! passes 1
//! launches host=2
//! launches resident=2
//! case three passes
//! args --in acc=0 --in order=fill:0 --size order=8 --passes 3
//! out acc: 6
//! out order: 1 2 1 2 1 2 0 0
//! passes 3
//! launches host=6
//! launches resident=6
//! case one pass asked for
//! args --in acc=5 --in order=fill:0 --size order=8 --passes 1
//! out acc: 7
//! out order: 0 0 0 0 0 1 2 0
//! passes 1
program k09;

inout u32 acc[1];
inout u32 order[];

kernel (1) workgroup(1) {
    order[acc[0]] = 1;
    acc[0] += 1;
    grid_barrier;
    order[acc[0]] = 2;
    acc[0] += 1;
}
