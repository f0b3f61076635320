//! case sparse
//! args --set n=40 --in from=2,2,2,3,3,3,3,4,4,5,5,5,6,6,7,7,8,10,11,14,18,18,19,19,20 --in to=4,5,35,13,14,19,36,15,34,17,35,36,23,37,31,32,18,39,15,37,8,24,15,33,9
//! out comp: 0 1 2 2 2 2 2 7 8 9 10 2 12 2 2 2 16 2 8 2 9 21 22 2 8 25 26 27 28 29 30 7 7 2 2 2 2 2 38 10
//! out count: 18
//! order-free no
//
// Connected components by hook and compress. Each vertex ends with the least vertex id of its component.
program components;

in u32 from[];
in u32 to[len(from)];
param u32 n;
out u32 comp[n];
out u32 count[1];
out u32 rounds[1];

kernel {
    forall v in 0 .. n {
        comp[v] = v;
    }
    var u32 turn = 0;
    var u32 roots = 0;
    var bool more = true;
    while more {
        region "hook" {
            more = false;
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
                var u32 c = atomic_load(comp[v]);
                loop {
                    let up = atomic_load(comp[c]);
                    if up == c {
                        break;
                    }
                    c = up;
                }
                atomic_store(comp[v], c);
            }
        }
        turn += 1;
    }
    forall v in 0 .. n reduce(add roots) {
        roots += u32(comp[v] == v);
    }
    forall one in 0 .. 1 { // who makes a plain store here?
        count[0] = roots;
        rounds[0] = turn;
    }
}
