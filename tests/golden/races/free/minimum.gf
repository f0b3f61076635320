// The start value, a grid barrier, then the minimum.
//! out low: 3187
program minimum;
out u32 low[1];
kernel (8) workgroup(2) {
    if gid.x == 0 {
        low[0] = 4000;
    }
    grid_barrier;
    atomic_min(low[0], 3187 + gid.x);
}
