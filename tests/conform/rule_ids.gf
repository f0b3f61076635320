// gid, lid and wid and their `.linear` over three axes, padded ones not run.
//! args --set x=3 --set y=3 --set z=2
//! out wrong: 0
//! out runs: 18
//! out last: 2 2 1 17 0 0 1 4 1 1 0 3
//! order-free yes
program rule_ids;

param u32 x;
param u32 y;
param u32 z;
out   u32 wrong[1];
out   u32 runs[1];
out   u32 last[12];

kernel (x, y, z) workgroup(2, 2, 2) {
    atomic_add(runs[0], 1);
    if gid.x != wid.x * 2 + lid.x || gid.y != wid.y * 2 + lid.y || gid.z != wid.z * 2 + lid.z { atomic_add(wrong[0], 1); }
    if gid.linear != gid.x + x * (gid.y + y * gid.z) { atomic_add(wrong[0], 1); }
    if lid.linear != lid.x + 2 * (lid.y + 2 * lid.z) { atomic_add(wrong[0], 1); }
    if wid.linear != wid.x + 2 * (wid.y + 2 * wid.z) { atomic_add(wrong[0], 1); }
    if gid.x == x - 1 && gid.y == y - 1 && gid.z == z - 1 {
        last[0] = gid.x; last[1] = gid.y; last[2] = gid.z; last[3] = gid.linear;
        last[4] = lid.x; last[5] = lid.y; last[6] = lid.z; last[7] = lid.linear;
        last[8] = wid.x; last[9] = wid.y; last[10] = wid.z; last[11] = wid.linear;
    }
}
