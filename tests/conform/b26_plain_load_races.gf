// The second one with a plain `level[v]`: the race with the compare-exchange is named, with both lines.
//! args --set n=3 --set source=0 --in row=0,2,3,4 --in col=1,2,0,0 --check-races
//! only native
//! races no
//! status 6
//! error GF0705
//! stderr level
// By levels, with grid-level control flow: one run from source to done.
program bfs;

const u32 INF = 0xffffffff;
param u32 n;
param u32 source;
in    u32 row[n + 1];
in    u32 col[];
out   u32 level[n];

kernel (n) workgroup(2) {
    let v = gid.x;                               // lives across barriers: recomputed, costs nothing
    level[v] = select(v == source, 0, INF);
    var u32 depth = 0;                           // a grid-level variable: one value for the whole grid
    var bool more = true;
    while more {                                 // a grid-level loop
        var bool grew = false;
        if level[v] == depth {
            for e in row[v] .. row[v + 1] {
                if atomic_compare_exchange(level[col[e]], INF, depth + 1) == INF { grew = true; }
            }
        }
        more = grid_any(grew);                   // a grid barrier that carries the answer
        depth += 1;
    }
}
