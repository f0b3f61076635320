//! args --set n=256
//! out y: 64 64 64 64
//! case others find what they have left
//! args --set n=256 --set zero=130
//! status 6
//! error GF0704
//! stderr error[GF0704]: assert failed: "no step" (invocation 130)
//! case others find what is wrong
//! args --set n=256 --set zero=130 --set odd=129
//! status 6
//! error GF0704
//! stderr error[GF0704]: assert failed: "not mine" (invocation 129)
//! case those who have failed are not missing
//! args --set n=256 --set zero=130 --set sure=129
//! status 6
//! error GF0704
//! stderr error[GF0704]: assert failed: "no step" (invocation 130)
//! case who fails just before gives nothing to the workgroup
//! args --set n=256 --set odd=140 --set low=129
//! status 6
//! error GF0704
//! stderr error[GF0704]: assert failed: "too few" (invocation 129)
//! case the same where nobody can have gone before
//! args --set n=256 --set first=140 --set low=129
//! status 6
//! error GF0704
//! stderr error[GF0704]: assert failed: "too few at first" (invocation 129)
// A workgroup array goes on behind a `forall`, as the others left it, though some of those who share it have failed.
program wrong_with_arrays;

param u32 n;
param u32 zero = 1000;
param u32 odd = 1000;
param u32 sure = 1000;
param u32 low = 1000;
param u32 first = 1000;
out u32 y[4];
scratch u32 z[n];
shared u32 here[128];

kernel groups(n / 64) workgroup(64) {
    let v = gid.x;
    assert(v != first, "at first");
    let some = group_add(1);
    assert(v != low || some != 63, "too few at first");
    var u32 step = 1;
    if v == zero {
        step = 0;
    }
    here[lid.x] = v + 1;
    here[lid.x + 64] = v + 1;
    barrier;
    assert(step != 0, "no step");
    forall i in 0 .. n {
        z[i] = i;
    }
    var u32 count = 0;
    while count < 10 {
        count += step;
    }
    let next = here[lid.x + 1 - lid.x / 63] + here[64 + (lid.x + 1) % 64];
    assert(v != odd || next != 2 * v + 4, "not mine");
    assert(v != sure || next == 2 * v + 4, "sure");
    let all = group_add(1);
    assert(v != low || all != 63, "too few");
    if lid.x == 0 {
        y[wid.x] = all;
    }
}
