// Breadth-first search by waves whose test reads the level plainly, while others claim it by an atomic.
//! args --set n=4 --in row=0,1,2,3,3 --in col=1,2,3
//! race level look claim
program level_by_plain_load;
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
        if level[v] == depth { // @look
            for e in row[v] .. row[v + 1] {
                if atomic_compare_exchange(level[col[e]], INF, depth + 1) == INF { // @claim
                    grew = true;
                }
            }
        }
        more = grid_any(grew);
        depth += 1;
    }
}
