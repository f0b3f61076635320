//! args --set n=8 --in row=0,0,1,2,3,3,5,6,8 --in col=5,5,7,2,1,7,6,3
//! out comp: 0 1 1 3 4 1 3 3
//! out count: 4
//! case no edges
//! args --set n=3 --in row=fill:0 --in col=fill:0 --size col=0
//! out comp: 0 1 2
//! out count: 3
//! case no vertices
//! args --set n=0 --in row=fill:0 --in col=fill:0 --size col=0
//! out comp:
//! out count: 0
//
// Connected components of an undirected graph: comp[v] becomes the least vertex id of v's component.
//
// Shapes: n vertices and their edges as CSR, each edge at both of its ends (of a file that has each once:
// --symmetric): row[n + 1], col[m]. comp[n]; count[0] is the number of components.
// Complexity: ROUNDS edges of each vertex are looked at, then all others of the vertices outside the largest component
// found so far; n + m at worst, beside the pointer chains, which stay short.
// Algorithm: Afforest, from M. Sutton, T. Ben-Nun, A. Barak: Optimizing parallel graph connectivity computation via
// subgraph sampling (IPDPS 2018). Trees are hooked together at their roots, the larger below the smaller. What comes
// first depends on the order of the atomics, the least id of a component does not.
//
//   gridfence run components.gf --csr row,col,n=g.mtx --symmetric --out count=-
program components;

const u32 ROUNDS = 2;
const u32 SAMPLES = 1024;

param u32 n;
in u32 row[n + 1];
in u32 col[];
out u32 comp[n];
out u32 count[1];
scratch u32 votes[SAMPLES];

// Joins the trees of a and b. A larger root is hooked below the smaller; whoever comes second climbs on from there.
fn link(u32 a, u32 b) {
    var u32 p = atomic_load(comp[a]);
    var u32 q = atomic_load(comp[b]);
    while p != q {
        let high = max(p, q);
        let low = min(p, q);
        let above = atomic_load(comp[high]);
        if above == low || above == high && atomic_compare_exchange(comp[high], high, low) == high {
            break;
        }
        p = atomic_load(comp[atomic_load(comp[high])]);
        q = atomic_load(comp[low]);
    }
}

// Hangs v directly below its root, which it gives.
fn u32 compress(u32 v) {
    let above = atomic_load(comp[v]);
    var u32 root = atomic_load(comp[above]);
    if root == above { // of most vertices
        return root;
    }
    var u32 up = atomic_load(comp[root]);
    while up != root {
        root = up;
        up = atomic_load(comp[root]);
    }
    atomic_store(comp[v], root);
    return root;
}

fn u32 sample(u32 i) {
    return mul_hi(i * 2654435761, n);
}

kernel {
    forall v in 0 .. n {
        comp[v] = v;
    }
    for turn in 0 .. ROUNDS {
        region "first edges" {
            forall v in 0 .. n {
                let e = row[v] + turn;
                if e < row[v + 1] {
                    link(v, col[e]);
                }
            }
        }
        grid_barrier;
        region "compress" {
            forall v in 0 .. n {
                let root = compress(v);
            }
        }
    }
    var u64 best = 0; // votes of a component, and its id: a large one, any would do
    region "sample" {
        forall i in 0 .. min(SAMPLES, n) {
            atomic_add(votes[atomic_load(comp[sample(i)]) % SAMPLES], 1);
        }
        grid_barrier;
        forall i in 0 .. min(SAMPLES, n) reduce(max best) {
            let c = atomic_load(comp[sample(i)]);
            best = u64(votes[c % SAMPLES]) << 32 | u64(c);
        }
    }
    let giant = u32(best);
    region "other edges" {
        forall v in 0 .. n {
            if atomic_load(comp[v]) != giant {
                for e in row[v] + ROUNDS .. row[v + 1] {
                    link(v, col[e]);
                }
            }
        }
    }
    grid_barrier;
    var u32 roots = 0;
    region "count" {
        forall v in 0 .. n reduce(add roots) {
            roots = u32(compress(v) == v);
        }
    }
    count[0] = roots;
}
