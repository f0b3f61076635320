// A workgroup array written before a barrier in a loop of 1 .. 5 turns: the reader sees the writer.
//! args --set turns=1
//! out y: 3 2 1 0 3 2 1 0
//! order-free yes
//! case 2
//! args --set turns=2
//! out y: 16 14 12 10 16 14 12 10
//! case 5
//! args --set turns=5
//! out y: 115 110 105 100 115 110 105 100
program anchor39;

param  u32 turns;
out    u32 y[8];
shared u32 w[4];

kernel groups (2) workgroup(4) {
    for k in 0 .. turns {
        w[lid.x] = 10 * k + lid.x;
        barrier;
        y[gid.x] += w[3 - lid.x];
        barrier;
    }
}
