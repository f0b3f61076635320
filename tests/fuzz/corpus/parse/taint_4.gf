// Taint closure, 32 rules to a word: seed, hop along edges that let a rule through, merge; counts per rule.
program taint;

param   u32 n;
param   u32 max_hops = 0xffffffff;
in      u32 row[n + 1];
in      u32 col[];
in      u32 pass[len(col)];                   // per edge: rules that cross it
in      u32 seed[n];                          // rules that start here
in      u32 kill[n];                          // rules that a sanitizer stops here
out     u32 state[n];
out     u32 count[32];
out     u32 hops[1];
scratch u32 next[n];

kernel (n) {
    let v = gid.x;
    var u32 fresh = 0;                        // rules that arrived in the last hop
    region "seed" { fresh = seed[v] & ~kill[v]; state[v] = fresh; }
    var u32 h = 0;                            // grid-level
    var bool more = grid_any(fresh != 0);     // grid-level
    while more && h < max_hops {
        region "hop" {
            if fresh != 0 {
                for e in row[v] .. row[v + 1] {
                    let bits = fresh & pass[e];
                    if bits != 0 { atomic_or(next[col[e]], bits); }
                }
            }
        }
        grid_barrier;
        region "merge" {
            fresh = next[v] & ~state[v] & ~kill[v];
            next[v] = 0;
            state[v] |= fresh;
        }
        more = grid_any(fresh != 0);
        h += 1;
    }
    region "count" {
        for r in 0 .. 32 {                    // a group_add a rule: padding lanes give 0
            let c = group_add((state[v] >> r) & 1);
            if lid.x == 0 { atomic_add(count[r], c); }
        }
    }
    if v == 0 { hops[0] = h; }
}
