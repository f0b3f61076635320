// The border of a pass is a grid barrier: what one pass writes the next one reads.
//! args --in a=0,0,0,9
//! out a: 9 9 9 9
//! passes 4
//! converged yes
program pass_borders;
inout u32 a[4];
scratch u32 b[4];
kernel (4) workgroup(2) fixpoint(10) on (a) {
    b[gid.x] = max(a[gid.x], a[min(gid.x + 1, 3)]);
    grid_barrier;
    a[gid.x] = b[gid.x];
}
