// 256 items, 1000 times { t = a[(i + 1) % 256]; barrier; a[i] = t; barrier }: a[0] = 232, a[255] = 231.
//! long
//! args --set rounds=1000
//! out ends: 232 231
//! out wrong: 0
//! order-free yes
//! case none
//! args --set rounds=0
//! out ends: 0 255
//! out wrong: 0
program anchor03;

param   u32 rounds;
out     u32 ends[2];
out     u32 wrong[1];
scratch u32 a[256];

kernel (256) workgroup(32) {
    let i = gid.x;
    a[i] = i;
    grid_barrier;
    for r in 0 .. rounds {
        let t = a[(i + 1) % 256];
        grid_barrier;
        a[i] = t;
        grid_barrier;
    }
    if a[i] != (i + rounds) % 256 { atomic_add(wrong[0], 1); }
    if i == 0 { ends[0] = a[i]; }
    if i == 255 { ends[1] = a[i]; }
}
