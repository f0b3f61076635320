// Phases of different width: the same components algorithm hooks over edges, compresses over vertices.
program components;

param u32 n;
in    u32 from[];
in    u32 to[];
inout u32 parent[n];                             // iota at the start

kernel fixpoint(n) on (parent) {
    forall e in 0 .. len(from) {
        let a = atomic_load(parent[from[e]]);
        let b = atomic_load(parent[to[e]]);
        if a != b { atomic_min(parent[max(a, b)], min(a, b)); }
    }
    grid_barrier;
    forall v in 0 .. n {
        let p = atomic_load(parent[v]);
        atomic_min(parent[v], atomic_load(parent[p]));
    }
}
