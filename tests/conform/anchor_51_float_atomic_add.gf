// 1024 items add 1.0 to one cell: 1024.
//! out y: 1024
//! order-free no
program anchor51;

out f32 y[1];

kernel (1024) workgroup(64) {
    atomic_add(y[0], 1.0);
}
