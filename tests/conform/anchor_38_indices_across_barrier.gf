// 343 items: kk = i / 49, ii = (i - 49 kk) / 7, jj = i % 7; barrier; sums of 1029 each, item 342 = 6 6 6.
//! out sums: 1029 1029 1029
//! out last: 6 6 6
//! order-free yes
program anchor38;

out     u32 sums[3];
out     u32 last[3];
scratch u32 t[343];

kernel (343) workgroup(49) {
    let i = gid.x;
    var u32 kk = i / 49;
    var u32 ii = (i - 49 * kk) / 7;
    var u32 jj = i % 7;
    t[342 - i] = jj;
    grid_barrier;
    atomic_add(sums[0], kk);
    atomic_add(sums[1], ii);
    atomic_add(sums[2], t[342 - i]);
    if i == 342 { last[0] = kk; last[1] = ii; last[2] = jj; }
}
