// A flag that is set and cleared inside a pass: what counts is the state at the end of the pass.
//! args --in flag=0 --in x=0
//! out flag: 0
//! out x: 3
//! passes 4
//! converged yes
program b32_flag;

inout u32 flag[1];
inout u32 x[1];

kernel (4) workgroup(2) fixpoint(50) on (flag, x) {
    flag[0] = 1;
    grid_barrier;
    if gid.x == 0 && flag[0] == 1 { x[0] = min(x[0] + 1, 3); }
    grid_barrier;
    if gid.x == 3 { flag[0] = 0; }
}
