// Hillis and Steele in place with two barriers a step.
//! args --in x=1,2,3,4,5,6,7,8
//! out y: 1 3 6 10 15 21 28 36
program scan_two_barriers;
in u32 x[8];
shared u32 w[8];
out u32 y[8];
kernel groups(1) workgroup(8) {
    w[lid.x] = x[lid.x];
    barrier;
    for k in 0 .. 3 {
        let reach = 1 << k;
        var u32 add = 0;
        if lid.x >= reach {
            add = w[lid.x - reach];
        }
        barrier;
        w[lid.x] += add;
        barrier;
    }
    y[gid.x] = w[lid.x];
}
