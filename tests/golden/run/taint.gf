//! case random rules
//! args --set n=40 --in row=0,0,0,3,7,9,12,14,16,17,17,18,19,19,19,20,20,20,20,22,24,26,27,29,30,30,31,33,36,37,41,42,46,47,47,48,51,56,58,59,60 --in col=4,5,35,13,14,19,36,15,34,17,35,36,23,37,31,32,18,39,15,37,8,24,15,33,9,21,9,1,38,6,3,9,10,3,20,26,18,4,22,23,37,4,21,26,34,37,13,7,4,11,36,3,7,12,19,28,3,25,4,13 --in pass=1258676654,1973335385,676598820,1914802140,1130620377,4130841704,2349662259,1049889716,1329498206,1531516257,4590953,1639073804,2038578866,863202764,21262379,385487905,178958209,96611647,999909488,3223547465,4229379224,641939352,2762606516,2694370961,3456064028,987587879,133833463,450612829,3589824707,2398856258,2696239204,2923430371,2101503087,14234932,3426084916,2298665724,3164481770,1140563900,881402583,4190750329,1643084753,2936454391,3294111535,2760645980,633185881,2438517928,53554861,260537059,2886224805,2972912703,2902142302,2218503913,1995711774,855772365,4201018061,4021181774,75181072,1971264698,1153874069,904987392 --in seed=2147483648,1024,0,0,0,0,0,8388608,0,65536,0,0,0,0,2147483648,0,0,0,0,512,0,0,0,256,0,0,4194304,0,33554432,0,0,33554432,0,0,0,0,0,32,131072,0 --in kill=1310720,0,0,262400,33554432,8,0,2101248,0,32768,1073741824,0,8388608,0,0,0,8454144,134217800,2148007936,1073741824,0,33554432,0,134217728,1048592,40960,270532608,2,0,0,0,0,1048576,0,0,0,0,0,0,256
//! out state: 2147483648 1024 0 32 131072 0 0 8519680 0 4259840 4194304 0 0 4194304 2147483648 544 0 0 0 544 0 0 0 256 0 32 4194304 0 33554432 0 0 33554432 8519680 512 131072 0 32 2147483680 131072 4194304
//! out count: 0 0 0 0 0 6 0 0 1 3 1 0 0 0 0 0 1 5 0 0 0 0 5 2 0 2 0 0 0 0 0 3
//! out hops: 5
//! order-free yes
//! passes 1
//
// Taint closure, 32 rules to a word: seed, hop along edges that let a rule through, merge; counts per rule.
program taint;

param u32 n;
param u32 max_hops = 0xffffffff;
in u32 row[n + 1];
in u32 col[];
in u32 pass[len(col)]; // per edge: rules that cross it
in u32 seed[n]; // rules that start here
in u32 kill[n]; // rules that a sanitizer stops here
out u32 state[n];
out u32 count[32];
out u32 hops[1];
scratch u32 next[n];

kernel (n) {
    let v = gid.x;
    var u32 fresh = 0; // rules that arrived in the last hop
    region "seed" {
        fresh = seed[v] & ~kill[v];
        state[v] = fresh;
    }
    var u32 h = 0; // grid-level
    var bool more = grid_any(fresh != 0); // grid-level
    while more && h < max_hops {
        region "hop" {
            if fresh != 0 {
                for e in row[v] .. row[v + 1] {
                    let bits = fresh & pass[e];
                    if bits != 0 {
                        atomic_or(next[col[e]], bits);
                    }
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
        for r in 0 .. 32 { // a group_add a rule: padding lanes give 0
            let c = group_add(state[v] >> r & 1);
            if lid.x == 0 {
                atomic_add(count[r], c);
            }
        }
    }
    if v == 0 {
        hops[0] = h;
    }
}
