// GF0403: atomics that there are not.
program atomics;
param u32 n;
inout u8 a[n];
inout f16 b[n];
inout f32 c[n];
inout u64 d[n];
kernel (n) {
    let v = gid.x;
    var u32 local[4];
    atomic_add(a[v], 1);
    atomic_max(b[v], 1.0);
    atomic_or(c[v], 1.0);
    atomic_add(c[v], 1.0);
    atomic_compare_exchange(c[v], 1.0, 2.0);
    atomic_xor(d[v], 1);
    atomic_add(local[0], 1);
    atomic_add(n[0], 1);
}
