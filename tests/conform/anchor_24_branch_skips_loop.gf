// A branch behind a barrier that skips a loop: n = 8 of 16 items sum what lies below them.
//! args --set n=8
//! out y: 0 0 1 3 6 10 15 21 0 0 0 0 0 0 0 0
//! order-free yes
program anchor24;

param   u32 n;
out     u32 y[16];
scratch u32 t[16];

kernel (16) workgroup(4) {
    let i = gid.x;
    var u32 s = 0;
    t[15 - i] = i;
    grid_barrier;
    if 15 - t[i] < n { for k in 0 .. i { s += k; } }
    grid_barrier;
    t[i] = 0;
    y[i] = s;
}
