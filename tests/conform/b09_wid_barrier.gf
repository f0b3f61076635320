// A workgroup barrier under a condition on `wid`, or in a loop whose bound is: each workgroup goes its own way.
//! args --set groups=4
//! out y: 0 0 0 0 0 1 2 3 1 3 5 3 3 6 5 4
//! order-free yes
program b09_wid;

param  u32 groups;
out    u32 y[groups * 4];
shared u32 w[4];

kernel groups (groups) workgroup(4) {
    w[lid.x] = lid.x;
    var u32 s = 0;
    if wid.x > 0 {
        for k in 0 .. wid.x {
            barrier;
            s += w[(lid.x + k) % 4];
        }
    }
    y[gid.x] = s;
}
