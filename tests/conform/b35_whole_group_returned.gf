// All of one workgroup return, each for itself: its loop with barriers counts on and ends, and so does the next.
//! args --set n=10
//! out y: 0 0 0 0 3 4 3 4 3 4
//! order-free yes
program b35_group;

param  u32 n;
out    u32 y[n];
shared u32 w[4];

kernel (n) workgroup(4) {
    let v = gid.x;
    if v < 4 { return; }
    var u32 k = 0;
    while k < 3 {
        w[lid.x] = lid.x;
        k += 1;
        barrier;
    }
    y[v] = k + w[lid.x] % 2;
}
