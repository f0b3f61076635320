// ptx: threads=256
// Segments that no barrier of the program parts: blocks meet alone, for shared memory is that of the next segment then.
program beside;

param u32 n;
inout u32 a[n];
out u32 b[n];
out u32 c[n];
shared u32 w[64];

kernel groups(n / 64) workgroup(64) {
    w[lid.x] = a[gid.x];
    barrier;
    c[gid.x] = w[63 - lid.x];
    forall i in 0 .. n {
        b[i] = 1;
    }
    grid_barrier;
    a[gid.x] = b[0];
}
