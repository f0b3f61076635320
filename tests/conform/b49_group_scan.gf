// group_scan_add in a loop, the last workgroup cut short: each turn every element becomes the inclusive sum plus r.
//! args --set n=11
//! out y: 3 5 10 21 7 21 50 101 11 37 90
//! order-free yes
//! case one
//! args --set n=1
//! out y: 3
//! case a whole number of groups
//! args --set n=8
//! out y: 3 5 10 21 7 21 50 101
program b49_group;

param u32 n;
out   u32 y[n];

kernel (n) workgroup(4) {
    var u32 mine = gid.x;
    for r in 0 .. 3 {
        let before = group_scan_add(mine);
        mine = before + mine + r;
    }
    y[gid.x] = mine;
}
