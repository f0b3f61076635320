//! args --set n=600 --checked
//! out y: 0 1 2 3
//! case the lower one behind the forall
//! args --set n=600 --set a=500 --set c=2 --checked
//! status 6
//! error GF0706
//! stderr error[GF0706]: invocation 2 is at `y[1000]`, which is out of bounds: its length is 4
//! case the lower one before it
//! args --set n=600 --set a=2 --set c=500 --checked
//! status 6
//! error GF0706
//! stderr error[GF0706]: invocation 2 is at `x[1002]`, which is out of bounds: its length is 600
//! case the lowest one in the forall
//! args --set n=600 --set a=2 --set b=1 --set c=500 --checked
//! status 6
//! error GF0706
//! stderr error[GF0706]: item 11 of a forall is at `z[1011]`, which is out of bounds: its length is 600
//! case of two equal ones that which comes first
//! args --set n=600 --set a=4 --set b=4 --set c=4 --checked
//! status 6
//! error GF0706
//! stderr error[GF0706]: invocation 4 is at `x[1004]`, which is out of bounds: its length is 600
//! case a trap in the forall behind what is equal
//! args --set n=600 --set a=4 --set t=4 --checked
//! status 6
//! error GF0706
//! stderr error[GF0706]: invocation 4 is at `x[1004]`, which is out of bounds: its length is 600
//! case a trap in the forall before what is equal
//! args --set n=600 --set c=4 --set t=4 --checked
//! status 6
//! error GF0703
//! stderr error[GF0703]: trap "item" at address 14 (invocation 4)
//! case a division against a trap
//! args --set n=600 --set d=7 --set t=8 --checked
//! status 6
//! error GF0707
//! stderr error[GF0707]: invocation 7 divides by zero
//! case who has failed does not go on
//! args --set n=600 --set b=450 --set c=401 --set zero=400 --checked
//! status 6
//! error GF0704
//! stderr error[GF0704]: assert failed: "no step" (invocation 400)
// What is wrong in checked code, in a stretch that a `forall` parts: the lowest invocation is named, traps and asserts among them,
// and of two of one number what comes first.
program checked_in_stretch;

param u32 n;
param u32 a = 1000;
param u32 b = 1000;
param u32 c = 1000;
param u32 d = 1000;
param u32 t = 1000;
param u32 zero = 1000;
out u32 y[4];
scratch u32 x[n];
scratch u32 z[n];

kernel (n) workgroup(64) {
    let v = gid.x;
    let step = select(v == zero, 0, v / 600 + 1);
    assert(step != 0, "no step");
    x[select(v == a, v + 1000, v)] = v;
    forall i in 10 .. n + 10 {
        if i - 10 == t {
            trap("item", i);
        }
        z[select(i - 10 == b, i + 1000, i - 10)] = 7 / (1 + i);
    }
    var u32 left = 0;
    while left < 100 {
        left += step;
    }
    if v < 4 {
        y[v] = v;
    }
    if v == c {
        y[1000] = left;
    }
    if v == d {
        atomic_add(y[0], (v + 1) / (v - d));
    }
}
