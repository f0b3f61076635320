// A `let` of a written buffer's element is no grid-uniform value: refused, with the fix grid_load.
//! args --set n=4
//! status 1
//! error GF0304
//! stderr grid_load
program b28;

param u32 n;
out   u32 flag[1];
out   u32 y[n];

kernel (n) workgroup(2) {
    var u32 k = 0;
    let stop = flag[0];
    while k < 5 && stop == 0 {
        y[gid.x] += 1;
        k += 1;
        grid_barrier;
    }
    if gid.x == 0 { flag[0] = 1; }
}
