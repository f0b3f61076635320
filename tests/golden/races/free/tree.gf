// The tree of a sum with a barrier at each level.
//! args --in x=1,2,3,4,5,6,7,8
//! out sum: 36
program tree;
in u32 x[8];
shared u32 w[8];
out u32 sum[1];
kernel groups(1) workgroup(8) {
    w[lid.x] = x[lid.x];
    barrier;
    for k in 0 .. 3 {
        let half = 4 >> k;
        if lid.x < half {
            w[lid.x] += w[lid.x + half];
        }
        barrier;
    }
    if lid.x == 0 {
        sum[0] = w[0];
    }
}
