// An empty space with a grid-level `while` on a flag that nobody can set: nothing runs.
//! args --set n=0 --in flag=0
//! out flag: 0
//! out y: 0 0
//! passes 1
//! case some
//! args --set n=2 --in flag=0
//! out flag: 1
//! out y: 1 1
program b36;

param u32 n;
inout u32 flag[1];
out   u32 y[2];

kernel (n) workgroup(4) {
    grid while flag[0] == 0 {
        y[gid.x] += 1;
        grid_barrier;
        if gid.x == 0 { flag[0] = 1; }
    }
}
