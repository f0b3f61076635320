// The condition of the return is overwritten by other invocations behind the barrier: who returned stays returned.
//! args --in x=0,1,0,1,1,0,0,1,1,1
//! out x: 5 0 5 0 0 5 5 0 0 0
//! out y: 0 1 0 1 1 0 0 1 1 1
//! order-free yes
program b05_overwritten;

inout u32 x[];
out   u32 y[len(x)];

kernel (len(x)) workgroup(3) {
    let v = gid.x;
    if x[v] == 0 { return; }
    grid_barrier;
    if v == 1 { for i in 0 .. len(x) { x[i] = select(x[i] == 0, 5, 0); } }
    grid_barrier;
    y[v] = 1;
}
