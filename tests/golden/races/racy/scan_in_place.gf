// Hillis and Steele in place with one barrier a step: it reads what others add to.
//! race w write read
//! args --in x=1,1,1,1,1,1,1,1
program scan_in_place;
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
            add = w[lid.x - reach]; // @read
        }
        w[lid.x] += add; // @write
        barrier;
    }
    y[gid.x] = w[lid.x];
}
