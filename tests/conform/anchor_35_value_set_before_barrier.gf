// A value set before a barrier and used behind it, in a loop with a trip count known only at run time.
//! args --set n=6 --set turns=4
//! out r: 212 176 140 104 68 32
//! order-free yes
//! case no turn
//! args --set n=6 --set turns=0
//! out r: 0 0 0 0 0 0
program anchor35;

param   u32 n;
param   u32 turns;
out     u32 r[n];
scratch u32 t[n];

kernel (n) workgroup(4) {
    let i = gid.x;
    for k in 0 .. turns {
        let mine = i + k;
        t[i] = i * 10 + k;
        grid_barrier;
        r[i] += t[n - 1 - i] + mine;
        grid_barrier;
    }
}
