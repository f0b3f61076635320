// What converged(c) last said is the report, though passes were asked for and the second changed nothing.
//! args --passes 50
//! out y: 0 1 2 3
//! passes 2
//! converged no
program says_no;

out u32 y[4];

kernel (4) {
    y[gid.x] = gid.x;
    converged(false);
}
