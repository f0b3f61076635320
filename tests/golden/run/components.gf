//! case sparse
//! args --set n=40 --in from=2,2,2,3,3,3,3,4,4,5,5,5,6,6,7,7,8,10,11,14,18,18,19,19,20 --in to=4,5,35,13,14,19,36,15,34,17,35,36,23,37,31,32,18,39,15,37,8,24,15,33,9 --in parent=iota
//! out parent: 0 1 2 2 2 2 2 7 8 9 10 2 12 2 2 2 16 2 8 2 9 21 22 2 8 25 26 27 28 29 30 7 7 2 2 2 2 2 38 10
//! converged yes
//! order-free no
//! case no edges
//! args --set n=5 --in from=fill:0 --size from=0 --in to=fill:0 --size to=0 --in parent=iota
//! out parent: 0 1 2 3 4
//! passes 1
//
// Phases of different width: the same components algorithm hooks over edges, compresses over vertices.
program components;

param u32 n;
in u32 from[];
in u32 to[];
inout u32 parent[n]; // iota at the start

kernel fixpoint(n) on (parent) {
    forall e in 0 .. len(from) {
        let a = atomic_load(parent[from[e]]);
        let b = atomic_load(parent[to[e]]);
        if a != b {
            atomic_min(parent[max(a, b)], min(a, b));
        }
    }
    grid_barrier;
    forall v in 0 .. n {
        let p = atomic_load(parent[v]);
        atomic_min(parent[v], atomic_load(parent[p]));
    }
}
