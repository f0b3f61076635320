// Loads before a barrier are saved, not done again behind it.
//! out y: 1 2 3 4 5 6
//! out a: 60 50 40 30 20 10
//! order-free yes
program anchor36;

out u32 y[6];
out u32 a[6];

kernel (6) workgroup(2) {
    let i = gid.x;
    a[i] = i + 1;
    grid_barrier;
    let old = a[i];
    let other = a[5 - i];
    grid_barrier;
    a[i] = other * 10;
    grid_barrier;
    y[5 - i] = a[i] / 10;
    if old != i + 1 { y[5 - i] = 99; }
}
