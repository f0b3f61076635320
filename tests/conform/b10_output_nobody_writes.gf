// An output that nothing writes is zeros, of every type.
//! args --set n=3
//! out a: 0 0 0
//! out b: 0 0 0
//! out c: 0 0 0
//! out y: 2 1 0
//! case two passes
//! args --set n=3 --passes 2
//! out a: 0 0 0
//! out b: 0 0 0
//! out c: 0 0 0
//! out y: 2 1 0
program b10;

param   u32 n;
out     u8  a[n];
out     f64 b[n];
out     i64 c[n];
out     u32 y[n];
scratch u32 s[n];

kernel (n) workgroup(2) {
    s[gid.x] = gid.x;
    grid_barrier;
    y[gid.x] = s[n - 1 - gid.x];
    if n > 1000 { b[gid.x] = 1.0; }
}
