// The third program of the language page: no race.
//! args --set n=8 --in from=0,5,2,6,7 --in to=1,2,1,7,6 --in parent=iota
//! out parent: 0 0 0 3 4 0 6 6
//! converged yes
//! order-free no
//! case no edges
//! args --set n=3 --in from=fill:0 --size from=0 --in to=fill:0 --size to=0 --in parent=iota
//! out parent: 0 1 2
//! passes 1
//! converged yes
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
