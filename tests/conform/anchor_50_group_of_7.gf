// Sums of 0 .. n - 1 with workgroups that are no power of two.
//! args --set n=7
//! out s: 21 21
//! order-free yes
//! case 96
//! args --set n=96
//! out s: 4560 4560
//! case 100
//! args --set n=100
//! out s: 4950 4950
//! case 1000
//! args --set n=1000
//! out s: 499500 499500
program anchor50;

param u32 n;
out   u32 s[2];

kernel (n) workgroup(7) {
    let g = group_add(gid.x);
    if lid.x == 0 { atomic_add(s[0], g); }
    let all = grid_add(gid.x);
    if gid.x == n - 1 { s[1] = all; }
}
