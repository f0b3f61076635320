// And for a while whose condition loads at the invocation's own index.
//! args --in x=1,2,3
//! status 1
//! error GF0304
program b09_data;

inout u32 x[];

kernel (len(x)) workgroup(4) {
    while x[gid.x] > 0 {
        x[gid.x] -= 1;
        grid_barrier;
    }
}
