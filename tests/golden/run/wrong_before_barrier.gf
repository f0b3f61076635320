//! args --set n=200
//! out y: 64 64 64 8
//! case who has failed does not turn for ever
//! args --set n=200 --set zero=70
//! status 6
//! error GF0704
//! stderr error[GF0704]: assert failed: "no step" (invocation 70)
//! case and gives nothing to its workgroup
//! args --set n=200 --set zero=70 --set low=66
//! status 6
//! error GF0704
//! stderr error[GF0704]: assert failed: "no step" (invocation 70)
//! case which another tells
//! args --set n=200 --set zero=70 --set low=66 --set expect=63
//! status 6
//! error GF0704
//! stderr error[GF0704]: assert failed: "too few" (invocation 66)
//! case in one that has gone on alone
//! args --set n=200 --set zero=199 --set many=192
//! status 6
//! error GF0704
//! stderr error[GF0704]: assert failed: "no step" (invocation 192)
//! case a whole workgroup
//! args --set n=200 --set zero=127 --set many=64
//! status 6
//! error GF0704
//! stderr error[GF0704]: assert failed: "no step" (invocation 64)
//! case in a function
//! args --set n=200 --set zero=70 --set traps=69
//! status 6
//! error GF0703
//! stderr error[GF0703]: trap "in a function" at address 69 (invocation 69)
//! case in a loop of the workgroup
//! args --set n=200 --set zero=75 --set late=71
//! status 6
//! error GF0704
//! stderr error[GF0704]: assert failed: "in the loop" (invocation 71)
// Who fails before a barrier of its workgroup comes to the barriers behind, and does nothing else: no turns of a loop
// that would not end, nothing in what the workgroup combines.
program wrong_before_barrier;

param u32 n;
param u32 zero = 1000;
param u32 many = 1000;
param u32 low = 1000;
param u32 expect = 64;
param u32 traps = 1000;
param u32 late = 1000;
out u32 y[4];
shared u32 here[64];

fn u32 must(u32 v) {
    if v == traps {
        trap("in a function", v);
    }
    return v + 1;
}

kernel (n) workgroup(64) {
    let v = gid.x;
    var u32 step = 1;
    if v == zero || (v >= many && v < zero) {
        step = 0;
    }
    let one = must(v) - v;
    assert(step != 0, "no step");
    barrier;
    var u32 left = 0;
    while left < 10 {
        left += step;
    }
    let count = group_add(one);
    assert(v != low || count != expect, "too few");
    var u32 turn = 0;
    group while turn < 3 {
        here[lid.x] = left;
        barrier;
        assert(v != late || turn != 1, "in the loop");
        var u32 more = 0;
        while more < turn {
            more += step;
        }
        let any = group_any(here[lid.x] == 10);
        turn += select(any, 1, 3);
    }
    if lid.x == 0 {
        y[wid.x] = count;
    }
}
