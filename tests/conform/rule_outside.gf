// A load outside a buffer or array gives 0, a store or atomic outside does nothing, the atomic gives 0: buffers,
// workgroup arrays, private arrays; just behind the end, far behind it, negative, and in 64 bits; of the declared length.
//! args --set n=3 --set far=4294967295 --set minus=-1 --set huge=18446744073709551615 --in x=7,8,9,10,11 --in h=1,2
//! out y: 9 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 2 3
//! out z: 5 5 5
//! out h: 1 2
//! races no
program rule_outside;

param u32 n;
param u32 far;
param i32 minus;
param u64 huge;
in    u32 x[n];
inout u8  h[2];
out   u32 y[18];
out   u32 z[3];
scratch u32 a[3];
shared  u32 w[2];

kernel groups (1) workgroup(1) {
    var u32 p[2];
    for i in 0 .. 3 { a[i] = 5; }
    w[0] = 5; w[1] = 5; p[0] = 5; p[1] = 5;
    a[n] = 1; a[far] = 1; a[minus] = 1; a[huge] = 1; a[i64(minus)] = 1; a[u64(n) + 4294967296 - 2] = 1;
    w[2] = 1; w[far] = 1; w[minus] = 1; w[huge] = 1;
    p[2] = 1; p[far] = 1; p[minus] = 1; p[huge] = 1;
    h[n] = 9; h[minus] = 9;
    a[n] += 3; w[far] += 3; p[minus] += 3;
    y[0] = x[2];
    y[1] = x[n];
    y[2] = x[far];
    y[3] = x[minus];
    y[4] = x[huge];
    y[5] = x[u64(n) + 4294967296];
    y[6] = atomic_add(a[n], 1);
    y[7] = atomic_exchange(a[minus], 1);
    y[8] = atomic_compare_exchange(a[far], 0, 1);
    y[9] = atomic_load(a[huge]);
    y[10] = atomic_max(w[2], 9);
    y[11] = w[far] + w[minus] + w[2];
    y[12] = p[2] + p[far] + p[minus];
    y[13] = h[2];
    y[14] = atomic_add(w[huge], 1);
    y[15] = a[n] + a[far];
    y[16] = u32(w[0] == 5) + u32(w[1] == 5);
    y[17] = u32(p[0] == 5) + u32(p[1] == 5) + u32(len(x) == 3);
    for i in 0 .. 3 { z[i] = a[i]; }
}
