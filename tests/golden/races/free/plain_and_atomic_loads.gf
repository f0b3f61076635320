// Loads do not race with loads, whichever way they are made.
//! args --in a=5
//! out x: 10 10 10 10
program plain_and_atomic_loads;
inout u32 a[1];
out u32 x[4];
kernel (4) workgroup(2) {
    x[gid.x] = a[0] + atomic_load(a[0]);
}
