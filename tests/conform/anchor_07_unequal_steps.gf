// Groups that want different numbers of steps, a barrier in each: refused, with the reason.
//! args --set groups=3
//! status 1
//! error GF0304
//! stderr wid
program anchor07;

param u32 groups;
out   u32 y[groups];

kernel groups (groups) workgroup(4) {
    for k in 0 .. wid.x + 1 {
        if lid.x == 0 { y[wid.x] += 1; }
        grid_barrier;
    }
}
