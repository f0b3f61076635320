// A loop body that needs scratch memory: it is there before the loop, starts as zeros and lives on from turn to turn.
//! args --set turns=4
//! out y: 6 6 6 6 6
//! order-free yes
//! case no turn
//! args --set turns=0
//! out y: 0 0 0 0 0
//! case one turn
//! args --set turns=1
//! out y: 0 0 0 0 0
program anchor64;

param   u32 turns;
out     u32 y[5];
scratch u32 s[5];

kernel (5) workgroup(2) {
    for k in 0 .. turns {
        s[gid.x] += k;
        grid_barrier;
        y[gid.x] = s[4 - gid.x];
        grid_barrier;
    }
}
