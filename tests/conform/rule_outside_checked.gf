// The same in checked mode is an error that names the buffer and the index: a store, an atomic, arrays of both kinds.
//! args --set i=3 --set what=0 --checked
//! status 6
//! error GF0706
//! stderr a
//! races no
//! case an atomic
//! args --set i=4 --set what=1 --checked
//! status 6
//! error GF0706
//! stderr 4
//! races no
//! case a workgroup array
//! args --set i=-1 --set what=2 --checked
//! status 6
//! error GF0706
//! stderr -1
//! races no
//! case a private array
//! args --set i=5 --set what=3 --checked
//! status 6
//! error GF0706
//! stderr 5
//! races no
//! case inside
//! args --set i=1 --set what=0 --checked
//! out y: 0 1 0
program rule_outside_checked;

param i32 i;
param u32 what;
out   u32 y[3];
scratch u32 a[3];
shared  u32 w[2];

kernel groups (1) workgroup(1) {
    var u32 p[2];
    if what == 0 { a[i] = 1; }
    if what == 1 { atomic_add(a[i], 1); }
    if what == 2 { w[i] = 1; }
    if what == 3 { p[i] = 1; }
    for k in 0 .. 3 { y[k] = a[k]; }
}
