// Without `on`, every buffer that the kernel writes is compared: the scratch clock keeps it going to its stop.
//! args --in x=1
//! out x: 1
//! out y: 1
//! passes 5
//! converged yes
program b22_all;

inout   u32 x[1];
out     u32 y[1];
scratch u32 clock[1];

kernel (1) workgroup(1) fixpoint(100) {
    x[0] = 1;
    y[0] = x[0];
    grid_barrier;
    if clock[0] < 4 { clock[0] += 1; }
}
