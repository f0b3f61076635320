// Of one buffer some elements are used by atomics and others plainly.
//! out y: 4 0 1 2 3
program atomics_elementwise;
out u32 y[5];
kernel (4) workgroup(2) {
    atomic_add(y[0], 1);
    y[gid.x + 1] = gid.x;
}
