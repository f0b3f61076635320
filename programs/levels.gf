//! args --set n=8 --set source=0 --in row=0,2,3,5,6,6,6,7,8 --in col=1,2,3,3,4,5,7,0
//! out level: 0 1 1 2 2 3 4294967295 4294967295
//! out levels: 4
//! converged null
//! order-free no
//! case from another vertex
//! args --set n=8 --set source=6 --in row=0,2,3,5,6,6,6,7,8 --in col=1,2,3,3,4,5,7,0
//! out level: 2 3 3 4 4 5 0 1
//! out levels: 6
//! case from a vertex without edges
//! args --set n=8 --set source=4 --in row=0,2,3,5,6,6,6,7,8 --in col=1,2,3,3,4,5,7,0
//! out level: 4294967295 4294967295 4294967295 4294967295 0 4294967295 4294967295 4294967295
//! out levels: 1
//
// Breadth-first search by levels in a few lines: the example of README.md. bfs.gf is the one for work.
//
// Shapes: a directed graph of n vertices and m edges as CSR: row[n + 1], col[m]. level[n]: hops from `source`, INF
// where there is no path; levels[0] counts the levels that are not empty.
// Complexity: one turn of the loop per level; each turn looks at all n vertices, and over the whole run each reachable
// edge is followed once: n * levels + m.
// Algorithm: level-synchronous search with a vertex-wide sweep per level, as in P. Harish, P. J. Narayanan:
// Accelerating large graph algorithms on the GPU using CUDA (HiPC 2007).
program levels;

const u32 INF = 0xffffffff;

param u32 n;
param u32 source;
in u32 row[n + 1];
in u32 col[];
out u32 level[n];
out u32 levels[1];

kernel (n) workgroup(256) {
    let v = gid.x;
    level[v] = select(v == source, 0, INF);
    var u32 depth = 0;
    var bool more = true;
    while more {
        var bool grew = false;
        if atomic_load(level[v]) == depth {
            for e in row[v] .. row[v + 1] {
                if atomic_compare_exchange(level[col[e]], INF, depth + 1) == INF {
                    grew = true;
                }
            }
        }
        more = grid_any(grew);
        depth += 1;
    }
    if v == 0 {
        levels[0] = depth;
    }
}
