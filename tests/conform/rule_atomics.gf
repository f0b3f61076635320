// Every atomic gives the old value and leaves the new one: on u32 i32 u64 i64 all, on floats those they have; a
// compare-exchange of floats compares bits; wrap as everywhere.
//! out u: 4294967295 4 1 9 8 12 6 20 20 30
//! out i: -5 2147483647 -2147483648 -7 3
//! out q: 18446744073709551615 1099511627776 5
//! out f: 1.5 3.5 1.5 1.5 9 -2 0 7
//! out ends: 30 3 5 7
//! order-free no
program rule_atomics;

out u32 u[10];
out i32 i[5];
out u64 q[3];
out f32 f[8];
out u32 ends[4];
scratch u32 a[1];
scratch i32 b[1];
scratch u64 c[1];
scratch f32 d[1];
shared  u32 w[1];

kernel groups (1) workgroup(1) {
    atomic_store(a[0], 4294967295);
    u[0] = atomic_add(a[0], 5);
    u[1] = atomic_sub(a[0], 3);
    u[2] = atomic_max(a[0], 9);
    u[3] = atomic_min(a[0], 8);
    u[4] = atomic_or(a[0], 4);
    u[5] = atomic_and(a[0], 6) ;
    atomic_xor(a[0], 2);
    u[6] = atomic_load(a[0]);
    u[6] = u[6] + 0;
    atomic_exchange(a[0], 20);
    u[7] = atomic_compare_exchange(a[0], 19, 25);
    u[8] = atomic_compare_exchange(a[0], 20, 30);
    u[9] = atomic_load(a[0]);
    ends[0] = a[0];
    atomic_store(b[0], -5);
    i[0] = atomic_max(b[0], 2147483647);
    i[1] = atomic_add(b[0], 1);
    i[2] = atomic_exchange(b[0], -7);
    i[3] = atomic_max(b[0], 3);
    i[4] = atomic_min(b[0], 3);
    ends[1] = u32(b[0]);
    atomic_sub(c[0], 1);
    q[0] = atomic_and(c[0], 1099511627776);
    q[1] = atomic_exchange(c[0], 5);
    q[2] = atomic_xor(c[0], 0);
    ends[2] = u32(c[0]);
    atomic_store(d[0], 1.5);
    f[0] = atomic_add(d[0], 2.0);
    f[1] = atomic_sub(d[0], 2.0);
    f[2] = atomic_max(d[0], nan);
    f[3] = atomic_max(d[0], 9.0);
    f[4] = atomic_exchange(d[0], -2.0);
    f[5] = atomic_exchange(d[0], 0.0);
    f[6] = atomic_compare_exchange(d[0], -0.0, 5.0);
    atomic_compare_exchange(d[0], 0.0, 7.0);
    f[7] = atomic_load(d[0]);
    atomic_add(w[0], 7);
    ends[3] = w[0];
}
