// BFS from many sources at once, one workgroup per source: workgroup-level loops only, no grid barrier.
program batched_bfs;

const u32 INF = 0xffffffff;
const u32 WG = 256;
param   u32 n;
in      u32 row[n + 1];
in      u32 col[];
in      u32 source[];
out     u32 level[n * len(source)];
out     u32 depth[len(source)];

kernel (WG, len(source)) workgroup(WG, 1) {
    let t = lid.x;
    let k = wid.y;
    let base = k * n;                         // wraps from 2^32 elements on
    for v in t .. n step WG { level[base + v] = select(v == source[k], 0, INF); }
    var u32 d = 0;                            // workgroup-uniform; entering the loop is a barrier
    var bool more = true;
    while more {
        var bool grew = false;
        for v in t .. n step WG {
            if atomic_load(level[base + v]) == d {
                for e in row[v] .. row[v + 1] {
                    if atomic_compare_exchange(level[base + col[e]], INF, d + 1) == INF { grew = true; }
                }
            }
        }
        more = group_any(grew);
        d += 1;
    }
    if t == 0 { depth[k] = d; }
}
