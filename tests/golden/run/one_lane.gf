//! args --set n=10 --set k=4
//! out y: 100 3 3 3 1 3 3 3 3 99
//! out z: 0 1 2 0 0 5 6 7 8 9
//! out last: 9 7 14 32
//! order-free yes
//! case the one lane is the first
//! args --set n=9000 --set k=0
//! out last: 8999 3 14 9022
//! case in the middle of a row and of a block
//! args --set n=9000 --set k=4999
//! out last: 8999 5002 14 9022
//! case in no row
//! args --set n=3 --set k=4294967295
//! out y: 100 3 99
//! out z: 0 1 2
//! out last: 2 0 0 16
//
// What one lane alone does: conditions that hold for one invocation of a row, in front, in the middle, behind, beside.
program one_lane;

param u32 n;
param u32 k;
out u32 y[n];
out u32 z[n];
out u32 last[4];

kernel (n) {
    let i = gid.x;
    if i == k {
        y[i] = 1;
        last[1] = i + 3;
    } else if n - 1 == i {
        y[i] = 99;
    } else {
        y[i] = 3;
    }
    if 2 + i - k == 2 {
        z[i] = 0;
    } else {
        z[i] = i;
    }
    if 7 == i + 4 {
        z[i] = 0;
        last[2] = 2 * (i + 4);
    }
    if gid.linear == 0 {
        y[0] = 100;
    }
    let before = grid_scan_add(select(i == k, 10, 1));
    if i == n - 1 {
        last[0] = i;
        last[3] = before + 14;
    }
}
