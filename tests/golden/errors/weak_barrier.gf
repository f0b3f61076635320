// GF0322: a workgroup barrier where another workgroup is meant.
program weak_barrier;
inout u32 a[4096];
out u32 b[4096];
kernel (4096) workgroup(64) {
    let i = gid.x;
    a[i] = i;
    barrier;
    b[i] = a[4095 - i];
}
