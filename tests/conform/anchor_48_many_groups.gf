// n = 4,194,241 in groups of 64, more than 65,535 of them: out[i] = i.
//! long
//! args --set n=4194241
//! out last: 4194240
//! only native host
//! races no
program anchor48;

param   u32 n;
out     u32 last[1];
scratch u32 y[n];

kernel (n) workgroup(64) {
    y[gid.x] = gid.x;
    grid_barrier;
    if gid.x == 0 { last[0] = y[n - 1]; }
}
