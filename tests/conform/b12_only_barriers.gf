// Nothing but barriers: no launch at all.
//! args --set n=5 --in x=1,2,3,4,5
//! out x: 1 2 3 4 5
//! passes 1
//! launches host=0
//! launches resident=0
program b12_only;

param u32 n;
inout u32 x[n];

kernel (n) workgroup(2) {
    grid_barrier;
    grid_barrier;
    if n == 6 { grid_barrier; }
}
