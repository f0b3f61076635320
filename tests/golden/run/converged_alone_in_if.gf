// The whole construct only says whether the run has converged; its values are used nowhere else.
//! case yes
//! args --set k=7
//! out x: 2 2 2 2
//! converged yes
//! case no
//! args --set k=4
//! out x: 2 2 2 2
//! converged no
//! case null
//! args --set k=0
//! out x: 2 2 2 2
//! converged null
program converged_alone_in_if;

param u32 k;
out u32 x[4];

kernel (4) workgroup(2) {
    x[gid.x] = 1;
    grid_barrier;
    grid if k > 0 {
        let half = k / 2;
        for i in 0 .. 2 {
            grid if true {
                converged(half + i > 3);
            }
        }
    }
    x[gid.x] += 1;
}
