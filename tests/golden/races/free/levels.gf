// Breadth-first search by waves that reads and claims the level by atomics.
//! args --set n=4 --in row=0,1,2,3,3 --in col=1,2,3
//! out level: 0 1 2 3
program levels;
const u32 INF = 0xffffffff;
param u32 n;
in u32 row[n + 1];
in u32 col[];
out u32 level[n];
kernel (n) workgroup(2) {
    let v = gid.x;
    level[v] = select(v == 0, 0, INF);
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
}
