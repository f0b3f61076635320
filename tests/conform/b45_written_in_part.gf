// `out` written in part in segment 1 only, two passes: the bytes of pass 1 survive.
//! args --set n=6 --in it=0 --passes 2
//! out y: 100 101 202 303 0 0
//! out z: 0 1 2 3 4 5
//! out it: 2
//! passes 2
//! case three passes, another part in each
//! args --set n=6 --in it=1 --passes 3
//! out y: 0 0 202 303 704 905
//! out it: 4
program b45;

param   u32 n;
inout   u32 it[1];
out     u32 y[n];
out     u32 z[n];
scratch u32 t[n];

kernel (n) workgroup(4) {
    let v = gid.x;
    if v / 2 == it[0] { y[v] = 100 * (v / 2 * (v - 1) + 1) + v; }
    t[n - 1 - v] = v;
    grid_barrier;
    z[v] = n - 1 - t[v];
    if v == 5 { it[0] += 1; }
}
