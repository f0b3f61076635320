//! args --set n=6 --in row=0,0,1,2,3,4,4 --in col=0,1,2,0 --in target=3,4,0
//! out state: 7 1 1 1 2 0
//! out count: 3 1 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
//! out deepest: 3 1 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
//! passes 4
//! converged yes
//! order-free yes
//! case no targets
//! args --set n=2 --in row=0,0,1 --in col=0 --size target=0 --in target=iota
//! out state: 0 0
//! passes 1
//
// What flows to what: for up to 32 targets, one bit each ("rule"), every vertex from which a target can be reached,
// and in how many hops at most.
//
// The graph is given by its in-edges: row and col list for each vertex the vertices that point to it (of a file of
// edges `--csr row,col,n=FILE --transpose`). A word per vertex holds a bit per rule, so that one pass moves all rules
// by one hop. A pass has three regions with a grid barrier between: `seed` sets the bits of the targets (in the first
// pass), `hop` hands the bits that are new at a vertex to those that point to it and lack them, `merge` keeps what is
// new there. A workgroup counts by itself what its vertices got, 32 of them at a time, and adds that to the result. The
// passes end when one brings nothing new, and so counts nothing: 32 numbers tell that as well as all of `state` would.
// Results do not depend on the order of the atomics: nobody uses what they give back, and plain loads of what they
// change stand behind a barrier.
//
// Complexity: n per pass, at most as many passes as the longest shortest path has hops, and two; an edge costs
// something only in passes after which its source has new bits: 32 times at most, a few times mostly.
// Algorithm: semi-naive evaluation of a transitive closure, see F. Bancilhon: Naive evaluation of recursively defined
// relations (1986); with the bits of many searches in a word, as in M. Then et al.: The more the merrier: efficient
// multi-source graph traversal (VLDB 2014).
//
//   gridfence run flows_to.gf --csr row,col,n=graph.mtx --transpose --in target=5,17 --out count=- --out deepest=-
program flows_to;

const u32 RULES = 32;
const u32 GROUP = 512;

param u32 n; // vertices
in u32 row[n + 1]; // in-edges by vertex
in u32 col[];
in u32 target[]; // the vertex of each rule, at most 32
out u32 state[n]; // bit r: the target of rule r can be reached from here (of the target itself: set)
out u32 count[RULES]; // vertices that reach it, itself left out
out u32 deepest[RULES]; // hops of the farthest of them
scratch u32 fresh[n]; // bits that came in the last pass
scratch u32 arriving[n];
scratch u32 hops[1]; // passes done
shared u32 news[GROUP]; // what came to the workgroup in this pass, by vertex
shared u32 came[RULES]; // and how often each bit

kernel groups((n + GROUP - 1) / GROUP) workgroup(GROUP) fixpoint(n + 1) on (count) {
    let v = gid.x;
    region "seed" {
        if hops[0] == 0 && v < len(target) {
            assert(len(target) <= RULES, "there are 32 rules at most");
            let w = target[v];
            if w < n {
                atomic_or(state[w], 1 << v);
                atomic_or(fresh[w], 1 << v);
            }
        }
    }
    grid_barrier;
    region "hop" {
        if v < n {
            let bits = fresh[v];
            if bits != 0 {
                for e in row[v] .. row[v + 1] {
                    let w = col[e];
                    let lacking = bits & ~state[w];
                    if lacking != 0 {
                        atomic_or(arriving[w], lacking);
                    }
                }
            }
        }
        if v == 0 {
            hops[0] += 1;
        }
    }
    grid_barrier;
    region "merge" {
        var u32 new = 0;
        if v < n {
            new = arriving[v];
            if (new | fresh[v]) != 0 {
                fresh[v] = new;
            }
            if new != 0 {
                arriving[v] = 0;
                state[v] |= new;
            }
        }
        if group_any(new != 0) {
            news[lid.x] = new;
            barrier;
            let rule = lid.x % RULES;
            var u32 mine = 0;
            for i in 0 .. RULES {
                mine += news[lid.x - rule + i] >> rule & 1;
            }
            if mine != 0 {
                atomic_add(came[rule], mine);
            }
            barrier;
            if lid.x < RULES && came[lid.x] != 0 {
                atomic_add(count[lid.x], came[lid.x]);
                deepest[lid.x] = hops[0];
            }
        }
    }
}
