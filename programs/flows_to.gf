//! args --set n=6 --in row=0,0,1,2,3,4,4 --in col=0,1,2,0 --in target=3,4,0
//! out state: 7 1 1 1 2 0
//! out count: 3 1 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
//! out deepest: 3 1 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
//! passes 6
//! converged yes
//! order-free yes
//! case no targets
//! args --set n=2 --in row=0,0,1 --in col=0 --size target=0 --in target=iota
//! out state: 0 0
//! passes 1
//! case a vertex of two rules that points to itself, and one that is not there
//! args --set n=3 --in row=0,2,2,3 --in col=0,1,2 --in target=0,3,0,2
//! out state: 5 5 8
//! out count: 1 0 1 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
//! out deepest: 1 0 1 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
//! passes 4
//! converged yes
//! case a circle
//! args --set n=3 --in row=0,1,2,3 --in col=2,0,1 --in target=1
//! out state: 1 1 1
//! out count: 2 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
//! out deepest: 2 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
//! passes 5
//
// What flows to what: for up to 32 targets, one bit each ("rule"), every vertex from which a target can be reached,
// and in how many hops at most.
//
// The graph is given by its in-edges: row and col list for each vertex the vertices that point to it (of a file of
// edges `--csr row,col,n=FILE --transpose`). A word per vertex holds a bit per rule, so that one pass moves all rules
// by one hop, and the only grid barrier is the one between passes: what arrives in a pass is looked at in the next.
// That is why there are two arrays for it, which trade names. They are never cleared: in `arrived` neighbours see what
// a vertex lacks, as nobody writes it in that pass, and who takes new bits from there sets them in `arriving` too.
//
// The regions of a pass share nothing that one of them writes, but for atomics that may come in any order. In the first
// pass targets get their bits (`seed`). What has arrived and is new to a workgroup is counted, 32 vertices at a time,
// and added to the result (`count`). What a vertex has not sent on it sends to those that point to it and lack it
// (`send`): by `forall`, not by workgroups, where a vertex with very many edges would hold up others. Each of the two
// keeps for itself what it has seen: `state` and `sent`. The passes end when one brings nothing to anybody: a single
// number tells that as well as all of `state` would.
// Results do not depend on the order of the atomics: nobody uses what they give back, and plain loads of what they
// change stand behind a barrier.
//
// Complexity: n per pass, at most as many passes as the longest shortest path has hops, and three; an edge costs
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
scratch u32 arrived[n]; // bits that a vertex had before this pass, or that came in the last one
scratch u32 arriving[n]; // those that it will have by the next
scratch u32 sent[n]; // those that it has sent on
scratch u32 pass[1]; // number of this pass
scratch u32 next[1];
scratch u32 latest[1]; // number of the pass behind the last one that brought something
shared u32 news[GROUP]; // what came to the workgroup, by vertex
shared u32 came[RULES]; // and how often each bit

kernel groups((n + GROUP - 1) / GROUP) workgroup(GROUP) fixpoint(n + 3) on (latest) {
    swap(arrived, arriving);
    swap(pass, next);
    region "seed" {
        forall rule in 0 .. len(target) {
            assert(len(target) <= RULES, "there are 32 rules at most");
            if pass[0] == 0 && target[rule] < n {
                atomic_or(arriving[target[rule]], 1 << rule);
                atomic_max(latest[0], 1);
            }
        }
    }
    region "count" {
        let v = gid.x;
        if v == 0 {
            next[0] = pass[0] + 1;
        }
        var u32 new = 0;
        if v < n {
            new = arrived[v] & ~state[v];
            if new != 0 {
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
            if lid.x < RULES && came[lid.x] != 0 && pass[0] > 1 {
                atomic_add(count[lid.x], came[lid.x]);
                deepest[lid.x] = pass[0] - 1;
            }
            if lid.x == 0 {
                atomic_max(latest[0], pass[0] + 1);
            }
        }
    }
    region "send" {
        forall v in 0 .. n {
            let new = arrived[v] & ~sent[v];
            if new != 0 {
                sent[v] |= new;
                atomic_or(arriving[v], new);
                for e in row[v] .. row[v + 1] {
                    let w = col[e];
                    let lacking = new & ~arrived[w];
                    if lacking != 0 {
                        atomic_or(arriving[w], lacking);
                    }
                }
            }
        }
    }
}
