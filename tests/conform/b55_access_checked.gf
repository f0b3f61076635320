// In the side that is taken it is: buffer, index and invocation are named.
//! args --set n=4 --in x=1,2,3,4 --checked
//! status 6
//! error GF0706
//! stderr x
//! stderr 4
//! races no
program b55_taken;

param u32 n;
in    u32 x[n];
out   u32 y[6];

kernel (6) workgroup(4) {
    let i = gid.x;
    y[i] = select(i <= n, x[i], 0);
}
