// A plain first store, a barrier, then atomic_min by all: the least is 3187, never the first value.
//! args --set n=5000
//! out m: 3187 3187
//! order-free yes
//! case one
//! args --set n=1
//! out m: 3187 3187
program anchor06;

param u32 n;
out   u32 m[2];

kernel (n) workgroup(64) {
    if gid.x == n - 1 { m[0] = 99999; }
    grid_barrier;
    atomic_min(m[0], gid.x * 7919 % 9973 + 3187);
    grid_barrier;
    if gid.x == n / 2 { m[1] = m[0]; }
}
