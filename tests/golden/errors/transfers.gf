// GF0404 GF0409 GF0410: swap, copies, collectives.
program transfers;
param u32 n;
in u32 from[];
scratch u32 like[len(from)];
inout u32 a[n];
inout f32 b[n];
inout u32 c[n + 1];
inout u32 d[n];
shared u32 w[64];
kernel (n) workgroup(64) {
    var u32 local[4];
    swap(a, b);
    swap(a, c);
    swap(a, a);
    swap(a, w);
    swap(a, d);
    copy_async(a, 0, b, 0, 4, x);
    copy_async(local, 0, a, 0, 4, x);
    copy_async(w, 0, a, 0, 1.5, x);
    copy_async(w, lid.x, a, gid.x, 1, x);
    wait(x);
    all_gather(a, b);
    all_gather(a, a);
    reduce_scatter(a, d, max);
    all_reduce(b, or);
    broadcast(n, 0);
}
