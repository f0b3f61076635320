// Every invocation tests its element, whatever the buffers of a segment are sized.
//! args --in x=fill:3 --size x=1000 --set k=5
//! out sum: 0
//! out flag: 0
//! case all
//! args --in x=iota --size x=1000 --set k=998
//! out sum: 1000
//! out flag: 1
//! case a last group that is cut short
//! args --in x=iota --size x=1001 --set k=999
//! out sum: 1001
//! out flag: 1
//! case none
//! args --in x=iota --size x=1000 --set k=999
//! out sum: 0
//! out flag: 0
program b07;

param   u32 k;
in      u32 x[];
out     u32 flag[1];
out     u32 sum[1];
scratch u32 y[len(x)];

kernel (len(x)) workgroup(64) {
    if x[gid.x] > k { flag[0] = 1; }
    grid_barrier;
    y[gid.x] = flag[0];
    grid_barrier;
    atomic_add(sum[0], y[len(x) - 1 - gid.x]);
}
