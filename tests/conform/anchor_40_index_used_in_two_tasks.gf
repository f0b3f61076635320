// a[0] = 1 in one stretch, a[1 .. 9] in the next: ten ones, also f64.
//! out a: 1 1 1 1 1 1 1 1 1 1
//! out d: 1 1 1 1 1 1 1 1 1 1
//! order-free yes
program anchor40;

out u32 a[10];
out f64 d[10];

kernel {
    let base = 0;
    forall one in 0 .. 1 { a[base] = 1; d[base] = 1.0; }
    grid_barrier;
    forall i in 1 .. 10 { a[base + i] = 1; d[base + i] = d[base]; }
}
