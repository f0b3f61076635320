//! args --set n=8 --in from=5,1,6,7 --in to=2,5,7,3
//! out comp: 0 1 1 3 4 1 3 3
//! out count: 4
//! case no edges
//! args --set n=3 --in from=fill:0 --in to=fill:0 --size from=0
//! out comp: 0 1 2
//! out count: 3
//
// Connected components of an undirected graph: comp[v] becomes the least vertex id of v's component.
//
// Shapes: n vertices; m edges as pairs from[m], to[m], each in one direction or both. comp[n]; count[0] is the number
// of components, rounds[0] the number of rounds (it depends on the order of the atomics).
// Complexity: a round costs n + m steps beside the pointer chains that it shortens; the number of rounds is about
// log n on most graphs.
// Algorithm: hooking and pointer jumping, from Y. Shiloach, U. Vishkin: An O(log n) parallel connectivity algorithm
// (J. Algorithms 3, 1982), hooking to the smaller root by atomic_min and compressing every chain whole.
program components;

param u32 n;
in u32 from[];
in u32 to[len(from)];
out u32 comp[n];
out u32 count[1];
out u32 rounds[1];

kernel {
    forall v in 0 .. n {
        comp[v] = v;
    }
    var u32 turn = 0;
    var bool more = true;
    while more {
        more = false;
        region "hook" {
            forall e in 0 .. len(from) reduce(or more) {
                let a = atomic_load(comp[from[e]]);
                let b = atomic_load(comp[to[e]]);
                if a != b {
                    atomic_min(comp[max(a, b)], min(a, b));
                    more = true;
                }
            }
        }
        region "compress" {
            forall v in 0 .. n {
                var u32 root = atomic_load(comp[v]);
                loop {
                    let up = atomic_load(comp[root]);
                    if up == root {
                        break;
                    }
                    root = up;
                }
                atomic_store(comp[v], root);
            }
        }
        turn += 1;
    }
    var u32 roots = 0;
    forall v in 0 .. n reduce(add roots) {
        if comp[v] == v {
            roots = 1;
        }
    }
    count[0] = roots;
    rounds[0] = turn;
}
