// In checked mode an access in the side of a select that is not taken is no error.
//! args --set n=4 --in x=1,2,3,4 --checked
//! out y: 1 2 3 4 0 0
//! out z: 12 6 4 3 0 0
//! order-free yes
program b55;

param u32 n;
in    u32 x[n];
out   u32 y[6];
out   u32 z[6];

kernel (6) workgroup(4) {
    let i = gid.x;
    y[i] = select(i < n, x[i], 0);
    z[i] = select(i >= n, 0, 12 / select(i < n, x[i], 0));
}
