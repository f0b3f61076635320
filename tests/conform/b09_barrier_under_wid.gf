// A grid barrier under a condition on `wid` is refused; the chain of reasons leads from the condition to `wid`.
//! args --set n=8
//! status 1
//! error GF0303
//! stderr wid
program b09;

param u32 n;
out   u32 y[n];

kernel (n) workgroup(4) {
    let first = wid.x == 0;
    let go = first || n > 100;
    if go {
        y[gid.x] = 1;
        grid_barrier;
    }
}
