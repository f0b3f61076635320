// Returned invocations take part in a `barrier` loop: its counter is theirs too, and it ends.
//! args --set groups=3
//! out y: 0 6 6 6 0 9 9 9 0 12 12 12
//! order-free yes
program b35;

param  u32 groups;
out    u32 y[groups * 4];
shared u32 w[4];

kernel groups (groups) workgroup(4) {
    if lid.x == 0 { return; }
    var u32 k = 0;
    var u32 s = 0;
    while k < 3 {
        w[lid.x] = wid.x;
        barrier;
        s += w[1 + lid.x % 3] + k * 2;
        barrier;
        k += 1;
    }
    y[gid.x] = s;
}
