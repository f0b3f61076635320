//! args --set n=1000
//! out first: 960 960 960 960 960 960 960 960
//! out second: 8000 3996000 2662668000
//! out third: 567 495 423 351 279 207 135 63
//! passes 8
//! converged no
//! order-free yes
//! case less than a workgroup
//! args --set n=7
//! out first: 0 0 0 0 0 0 0 0
//! out second: 0 0 0
//! passes 1
//! converged yes
//! case a fault, and segments go on beside it
//! args --set n=1000 --set bad=700
//! status 6
//! error GF0704
//! stderr invocation 700
//! case a fault behind the others
//! args --set n=1000 --set worse=5
//! status 6
//! error GF0704
//! stderr the second
// Segments of one stretch: there is no barrier between them, and where the grid could meet it does not wait there. What
// is memory of a workgroup in one of them is memory for something else in the next. What an invocation has written it
// finds behind the `forall`.
program one_stretch;

const u32 GROUP = 64;

param u32 n;
param u32 bad = 0xffffffff;
param u32 worse = 0xffffffff;
out u32 first[8];
out u32 second[3];
out u32 third[8];
scratch u32 own[n];
shared u32 here[GROUP];
shared u32 there[GROUP];

kernel groups(n / GROUP) workgroup(GROUP) fixpoint(8) on (second) {
    let other = GROUP - 1 - lid.x;
    region "a workgroup array" {
        own[gid.x] = 8 * lid.x;
        here[lid.x] = gid.x;
        barrier;
        assert(gid.x != bad, "the first");
        if here[other] == gid.x - lid.x + other {
            atomic_add(first[lid.x % 8], 1);
        }
    }
    forall i in 0 .. n {
        atomic_add(second[0], 1);
        atomic_add(second[1], i);
        atomic_add(second[2], i * i);
    }
    region "another one" {
        there[other] = other;
        barrier;
        if lid.x % 8 == 7 {
            atomic_max(third[7 - lid.x / 8], own[gid.x] + there[lid.x]);
        }
    }
    forall i in 0 .. n {
        assert(i != worse, "the second");
    }
}
