// The same with 2 to 5 workgroups and 10,000 rounds: no wake-up is lost.
//! long
//! args --set groups=2 --set rounds=10000
//! out a: 0 1 2 3
//! races no
//! case 3
//! args --set groups=3 --set rounds=10000
//! out a: 4 5 0 1 2 3
//! races no
//! case 5
//! args --set groups=5 --set rounds=10000
//! out a: 0 1 2 3 4 5 6 7 8 9
//! races no
program anchor04;

param u32 groups;
param u32 rounds;
out   u32 a[groups * 2];

kernel groups (groups) workgroup(2) {
    let n = groups * 2;
    let i = gid.x;
    a[i] = i;
    grid_barrier;
    for r in 0 .. rounds {
        let t = a[(i + 1) % n];
        grid_barrier;
        a[i] = t;
        grid_barrier;
    }
}
