// The second program of the language page: no race.
//! args --set n=8 --set source=0 --in row=0,2,3,5,6,6,7,7,7 --in col=1,2,3,3,4,5,6
//! out level: 0 1 1 2 2 3 4 4294967295
//! order-free no
//! case from a sink
//! args --set n=8 --set source=6 --in row=0,2,3,5,6,6,7,7,7 --in col=1,2,3,3,4,5,6
//! out level: 4294967295 4294967295 4294967295 4294967295 4294967295 4294967295 0 4294967295
// By levels, with grid-level control flow: one run from source to done.
program bfs;

const u32 INF = 0xffffffff;
param u32 n;
param u32 source;
in    u32 row[n + 1];
in    u32 col[];
out   u32 level[n];

kernel (n) workgroup(3) {
    let v = gid.x;                               // lives across barriers: recomputed, costs nothing
    level[v] = select(v == source, 0, INF);
    var u32 depth = 0;                           // a grid-level variable: one value for the whole grid
    var bool more = true;
    while more {                                 // a grid-level loop
        var bool grew = false;
        if atomic_load(level[v]) == depth {
            for e in row[v] .. row[v + 1] {
                if atomic_compare_exchange(level[col[e]], INF, depth + 1) == INF { grew = true; }
            }
        }
        more = grid_any(grew);                   // a grid barrier that carries the answer
        depth += 1;
    }
}
