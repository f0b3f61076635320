// GF0322: a workgroup barrier where another workgroup is meant.
program weak_barrier;
inout u32 a[4096];
inout u32 c[4096];
inout u32 d[4096];
inout u32 e[4096];
out u32 b[4096];
kernel (4096) workgroup(64) {
    let i = gid.x;
    a[i] = i;
    barrier;
    b[i] = a[4095 - i];

    // Read by others, then written: the same the other way round.
    let next = c[i + 1];
    barrier;
    c[i] = next;

    // An operation of the workgroup is a barrier of it too.
    if lid.x == 0 {
        d[wid.x] = 1;
    }
    let sum = group_add(b[i]);
    if i == 0 {
        for k in 0 .. 64 {
            b[0] += d[k] + sum;
        }
    }

    // Over the back edge of a loop of the workgroup.
    group for turn in 0 .. 4 {
        b[i] += e[i ^ 64];
        e[i] = turn;
    }
}
