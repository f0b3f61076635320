// The tree of a sum lacks the barrier of its last levels, as where lanes were thought to go in step.
//! race w second third
//! args --in x=1,2,3,4,5,6,7,8
program tree_without_barrier;
in u32 x[8];
shared u32 w[8];
out u32 sum[1];
kernel groups(1) workgroup(8) {
    w[lid.x] = x[lid.x];
    barrier;
    if lid.x < 4 {
        w[lid.x] += w[lid.x + 4];
    }
    barrier;
    if lid.x < 2 {
        w[lid.x] += w[lid.x + 2]; // @second
    }
    if lid.x < 1 {
        w[lid.x] += w[lid.x + 1]; // @third
    }
    barrier;
    if lid.x == 0 {
        sum[0] = w[0];
    }
}
