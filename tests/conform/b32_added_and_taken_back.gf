// What is added is taken away again in the same pass, by the same operation: nothing has changed at its end.
//! args --in x=5,6,7
//! out x: 5 6 7
//! out passes_made: 1
//! passes 1
//! converged yes
//! order-free yes
program b32_added;

inout u32 x[3];
out   u32 passes_made[1];

kernel (3) workgroup(2) fixpoint(50) on (x) {
    atomic_add(x[gid.x], 3);
    grid_barrier;
    atomic_add(x[2 - gid.x], 0xfffffffd);
    if gid.x == 0 { passes_made[0] += 1; }
}
