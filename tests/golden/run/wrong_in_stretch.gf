//! args --set n=600
//! out y: 150 151 152 153
//! converged null
//! order-free yes
//! case the lower one behind the forall
//! args --set n=600 --set a=500 --set c=2
//! status 6
//! error GF0704
//! stderr error[GF0704]: assert failed: "behind" (invocation 2)
//! case the lower one before it
//! args --set n=600 --set a=2 --set c=500
//! status 6
//! error GF0704
//! stderr error[GF0704]: assert failed: "before" (invocation 2)
//! case the lowest one in it
//! args --set n=600 --set a=300 --set b=1 --set c=2
//! status 6
//! error GF0704
//! stderr error[GF0704]: assert failed: "item" (invocation 1)
//! case of two equal ones that which comes first
//! args --set n=600 --set a=3 --set b=3 --set c=3
//! status 6
//! error GF0704
//! stderr error[GF0704]: assert failed: "before" (invocation 3)
//! case of two equal ones behind it too
//! args --set n=600 --set b=3 --set c=3
//! status 6
//! error GF0704
//! stderr error[GF0704]: assert failed: "item" (invocation 3)
//! case a trap against an assert
//! args --set n=600 --set a=77 --set d=5
//! status 6
//! error GF0703
//! stderr error[GF0703]: trap "last" at address 12 (invocation 5)
//! case the next stretch does not count
//! args --set n=600 --set a=500 --set e=0
//! status 6
//! error GF0704
//! stderr error[GF0704]: assert failed: "before" (invocation 500)
//! case the next stretch alone
//! args --set n=600 --set e=9 --set f=4
//! status 6
//! error GF0704
//! stderr error[GF0704]: assert failed: "not at all" (invocation 4)
//! case who has failed does not go on
//! args --set n=600 --set a=400 --set zero=400
//! status 6
//! error GF0704
//! stderr error[GF0704]: assert failed: "before" (invocation 400)
//! case and others find nothing of it
//! args --set n=600 --set a=400 --set zero=400 --set c=450 --set d=401
//! status 6
//! error GF0704
//! stderr error[GF0704]: assert failed: "before" (invocation 400)
// A stretch that a `forall` parts: of all that goes wrong in it the lowest invocation is named, wherever that stands, and
// of two things of one number that which comes first. Who has failed has returned.
program wrong_in_stretch;

param u32 n;
param u32 a = 1000;
param u32 b = 1000;
param u32 c = 1000;
param u32 d = 1000;
param u32 e = 1000;
param u32 f = 1000;
param u32 zero = 1000;
out u32 y[4];
out u32 x[n];
scratch u32 z[n];

kernel (n) workgroup(64) {
    let v = gid.x;
    var u32 step = 1;
    if v == zero {
        step = 0;
    }
    assert(v != a, "before");
    x[v] = v;
    forall i in 0 .. n {
        assert(i != b, "item");
        z[i] = 1;
    }
    // Of steps of nothing there is no end.
    var u32 left = 0;
    while left < 100 {
        left += step;
    }
    assert(v != c || left != 100, "behind");
    forall i in 0 .. 4 {
        y[i] = i + n / 4;
    }
    if v == d {
        trap("last", v + 7);
    }
    grid_barrier;
    assert(x[n - 1 - v] != e, "in the next");
    forall i in 0 .. n {
        assert(i != f || e == 1000, "not at all");
    }
    assert(v != f, "in the next");
}
