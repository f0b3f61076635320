// 1024 groups of 32 and barriers in a serial loop: finishes, every item has counted each round.
//! args --set groups=1024 --set rounds=20
//! out wrong: 0
//! races no
//! case 1000 rounds
//! args --set groups=8 --set rounds=1000
//! out wrong: 0
//! races no
program anchor28;

param   u32 groups;
param   u32 rounds;
out     u32 wrong[1];
scratch u32 a[groups * 32];

kernel groups (groups) workgroup(32) {
    let n = groups * 32;
    var u32 count = 0;
    for k in 0 .. rounds {
        let other = select(k % 2 == 0, gid.x, n - 1 - gid.x);
        a[other] += 1;
        count += 1;
        grid_barrier;
    }
    if a[gid.x] != rounds || count != rounds { atomic_add(wrong[0], 1); }
}
