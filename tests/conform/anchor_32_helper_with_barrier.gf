// if i == 0 { a = 1 }, a helper with a barrier, seen[i] = i, if i == 0 { b = 1 }: the middle runs for all.
//! out seen: 0 1
//! out a: 1
//! out b: 1
//! order-free yes
program anchor32;

out     u32 seen[2];
out     u32 a[1];
out     u32 b[1];
scratch u32 t[2];

fn meet(u32 i) {
    t[i] = i;
    grid_barrier;
}

kernel groups (2) workgroup(1) {
    let i = gid.x;
    if i == 0 { a[0] = 1; }
    meet(i);
    seen[i] = 1 - t[1 - i];
    if i == 0 { b[0] = a[0]; }
}
