// BFS from many sources, one row of workgroups per source: rows go in lockstep, the grid stops with the last.
program batched_bfs_rows;

const u32 INF = 0xffffffff;
param   u32 n;
in      u32 row[n + 1];
in      u32 col[];
in      u32 source[];
out     u32 level[n * len(source)];
out     u32 depth[len(source)];
scratch u32 live[len(source)];                // last level at which the row grew; a row has no vote of its own

kernel (n, len(source)) workgroup(256, 1) {
    let v = gid.x;
    let k = gid.y;
    let at = k * n + v;
    level[at] = select(v == source[k], 0, INF);
    var u32 d = 0;
    var bool more = true;
    while more {
        var bool grew = false;
        if atomic_load(level[at]) == d {
            for e in row[v] .. row[v + 1] {
                if atomic_compare_exchange(level[k * n + col[e]], INF, d + 1) == INF { grew = true; }
            }
        }
        if grew { atomic_max(live[k], d + 1); }
        more = grid_any(grew);
        d += 1;
    }
    if v == 0 { depth[k] = live[k] + 1; }
}
