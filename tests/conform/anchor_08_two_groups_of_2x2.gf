// 2 groups of 2 x 2: b = a[i]; barrier; c = b[(i + 4) % 8] - (i + 4) % 8: all zeros.
//! out c: 0 0 0 0 0 0 0 0
//! order-free yes
program anchor08;

out     i32 c[8];
scratch i32 b[8];

kernel groups (2) workgroup(2, 2) {
    let i = wid.x * 4 + lid.linear;
    b[i] = i32(i);
    grid_barrier;
    c[i] = b[(i + 4) % 8] - i32((i + 4) % 8);
}
