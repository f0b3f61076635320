// By levels, with grid-level control flow: one run from source to done.
program bfs;

const u32 INF = 0xffffffff;
param u32 n;
param u32 source;
in    u32 row[n + 1];
in    u32 col[];
out   u32 level[n];

kernel (n) workgroup(256) {
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
