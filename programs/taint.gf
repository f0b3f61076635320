//! args --set n=6 --in row=0,2,3,4,5,6,6 --in col=1,2,3,3,4,0 --in pass=3,1,1,3,7,4 --in seed=3,0,0,4,0,2147483648 --in kill=0,0,0,0,2,0
//! out state: 7 3 1 5 5 2147483648
//! out count: 5 2 3 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 1
//! out hops: 4
//! order-free yes
//! case one hop
//! args --set n=6 --in row=0,2,3,4,5,6,6 --in col=1,2,3,3,4,0 --in pass=3,1,1,3,7,4 --in seed=3,0,0,4,0,2147483648 --in kill=0,0,0,0,2,0 --set max_hops=1
//! out state: 3 3 1 4 4 2147483648
//! out count: 3 2 2 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 1
//! out hops: 1
//
// Taint closure, 32 rules to a word: what each rule's sources reach along edges that let the rule through, stopped by
// sanitizers; and how many vertices each rule reaches.
//
// Shapes: n vertices and m edges as CSR: row[n + 1], col[m]; pass[m]: rules that cross the edge; seed[n]: rules that
// start at the vertex; kill[n]: rules that never hold at the vertex. state[n]: rules that reach it; count[32]: vertices
// per rule; hops[0]: hops until nothing was new.
// Complexity: n per hop, and each edge once per hop in which its source is fresh.
// Algorithm: semi-naive evaluation of a transitive closure with one bit per rule: only what arrived in the last hop is
// sent on. See F. Bancilhon: Naive evaluation of recursively defined relations (1986).
program taint;

const u32 RULES = 32;
const u32 BLOCK = 256;

param u32 n;
param u32 max_hops = 0xffffffff;
in u32 row[n + 1];
in u32 col[];
in u32 pass[len(col)];
in u32 seed[n];
in u32 kill[n];
out u32 state[n];
out u32 count[RULES];
out u32 hops[1];
scratch u32 fresh[n]; // rules that arrived in the last hop
scratch u32 next[n]; // rules that arrive in this one

kernel {
    var bool more = false;
    region "seed" {
        forall v in 0 .. n reduce(or more) {
            let start = seed[v] & ~kill[v];
            fresh[v] = start;
            state[v] = start;
            more = start != 0;
        }
    }
    var u32 hop = 0;
    while more && hop < max_hops {
        region "hop" {
            forall v in 0 .. n {
                let rules = fresh[v];
                if rules != 0 {
                    for e in row[v] .. row[v + 1] {
                        let w = col[e];
                        let cross = rules & pass[e] & ~state[w];
                        if cross != 0 {
                            atomic_or(next[w], cross);
                        }
                    }
                }
            }
        }
        grid_barrier;
        more = false;
        region "merge" {
            forall v in 0 .. n reduce(or more) {
                let arrived = next[v] & ~(state[v] | kill[v]);
                next[v] = 0;
                fresh[v] = arrived;
                state[v] |= arrived;
                more = arrived != 0;
            }
        }
        hop += 1;
    }
    region "count" {
        forall block in 0 .. n / BLOCK + 1 { // a block counts by itself, and adds that to the result
            var u32 some[RULES];
            for v in block * BLOCK .. min(block * BLOCK + BLOCK, n) {
                for rule in 0 .. RULES {
                    some[rule] += state[v] >> rule & 1;
                }
            }
            for rule in 0 .. RULES {
                if some[rule] != 0 {
                    atomic_add(count[rule], some[rule]);
                }
            }
        }
    }
    hops[0] = hop;
}
