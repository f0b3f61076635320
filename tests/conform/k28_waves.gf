// Breadth-first search by waves, one wave a pass: 0-1-2-3-4 in a row, 5 beside 1, 6 beside 5, 7 alone. A wave reads
// only levels of the wave before, so that it is order-free and a budget cuts it at the same place everywhere.
//! args --set n=8 --in row=0,1,4,6,8,9,11,12,12 --in col=1,0,2,5,1,3,2,4,3,1,6,5 --in level=0,99,99,99,99,99,99,99
//! out level: 0 1 2 3 4 2 3 99
//! passes 5
//! converged yes
//! case one wave
//! args --set n=8 --in row=0,1,4,6,8,9,11,12,12 --in col=1,0,2,5,1,3,2,4,3,1,6,5 --in level=0,99,99,99,99,99,99,99 --passes 1
//! out level: 0 1 99 99 99 99 99 99
//! passes 1
//! converged no
//! case two waves
//! args --set n=8 --in row=0,1,4,6,8,9,11,12,12 --in col=1,0,2,5,1,3,2,4,3,1,6,5 --in level=0,99,99,99,99,99,99,99 --passes 2
//! out level: 0 1 2 99 99 2 99 99
//! passes 2
//! converged no
//! case three waves
//! args --set n=8 --in row=0,1,4,6,8,9,11,12,12 --in col=1,0,2,5,1,3,2,4,3,1,6,5 --in level=0,99,99,99,99,99,99,99 --passes 3
//! out level: 0 1 2 3 99 2 3 99
//! passes 3
//! converged no
//! case from the side
//! args --set n=8 --in row=0,1,4,6,8,9,11,12,12 --in col=1,0,2,5,1,3,2,4,3,1,6,5 --in level=99,99,99,99,99,99,0,99
//! out level: 3 2 3 4 5 1 0 99
//! passes 6
//! converged yes
//! case from nowhere
//! args --set n=8 --in row=0,1,4,6,8,9,11,12,12 --in col=1,0,2,5,1,3,2,4,3,1,6,5 --in level=99,99,99,99,99,99,99,99
//! out level: 99 99 99 99 99 99 99 99
//! passes 1
//! converged yes
program k28;

param   u32 n;
in      u32 row[n + 1];
in      u32 col[];
inout   u32 level[n];
scratch u32 next[n];

kernel (n) workgroup(3) fixpoint(100) on (level) {
    let v = gid.x;
    next[v] = level[v];
    grid_barrier;
    for e in row[v] .. row[v + 1] {
        let l = level[col[e]];
        if l != 99 && l + 1 < next[v] { next[v] = l + 1; }
    }
    grid_barrier;
    level[v] = next[v];
}
