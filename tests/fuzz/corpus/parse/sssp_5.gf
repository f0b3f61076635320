// Delta-stepping single-source shortest paths, u32 weights.
program sssp;

const u32 INF = 0xffffffff;
param   u32 n;
param   u32 source;
param   u32 delta = 16;
in      u32 row[n + 1];
in      u32 col[];
in      u32 weight[len(col)];
out     u32 dist[n];

kernel (n) {
    let v = gid.x;
    dist[v] = select(v == source, 0, INF);
    var u32 relaxed = INF;                    // distance at which my light edges were last relaxed
    var u32 near = 0;                         // grid-level: least distance not yet settled
    while near != INF {
        let lo = near / delta * delta;        // this bucket is [lo, hi)
        let hi = lo + min(delta, INF - lo);
        var bool more = true;                 // grid-level
        while more {
            var bool again = false;
            region "light" {
                let d = atomic_load(dist[v]);
                if d >= lo && d < hi && d < relaxed {
                    relaxed = d;
                    for e in row[v] .. row[v + 1] {
                        let w = weight[e];
                        if w <= delta && w < INF - d {
                            let to = d + w;
                            if to < atomic_min(dist[col[e]], to) && to < hi { again = true; }
                        }
                    }
                }
            }
            more = grid_any(again);
        }
        region "heavy" {
            let d = atomic_load(dist[v]);
            if d >= lo && d < hi {
                for e in row[v] .. row[v + 1] {
                    let w = weight[e];
                    if w > delta && w < INF - d { atomic_min(dist[col[e]], d + w); }
                }
            }
        }
        grid_barrier;
        let d = dist[v];
        near = grid_min(select(d >= hi, d, INF));
    }
}
