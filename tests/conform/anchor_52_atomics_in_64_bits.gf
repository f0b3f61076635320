// 64-bit atomic_min of (2^40 - i), i < 1000: 1099511626777.
//! args --in y=18446744073709551615
//! out y: 1099511626777
//! order-free yes
program anchor52;

inout u64 y[1];

kernel (1000) workgroup(64) {
    atomic_min(y[0], 1099511627776 - u64(gid.x));
}
