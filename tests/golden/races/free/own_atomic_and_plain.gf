// One invocation may use an element both ways: nobody else touches it.
//! out x: 2 3 4 5
program own_atomic_and_plain;
out u32 x[4];
kernel (4) workgroup(2) {
    x[gid.x] = gid.x;
    atomic_add(x[gid.x], 1);
    x[gid.x] += 1;
}
