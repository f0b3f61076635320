// A value of the workgroup lives on for those who have not returned: slots of the others say nothing.
//! args --in gone=0,1,0,0,1,0,1,0 --in x=-5,100,-7,-2,100,-1,100,-9
//! out y: -14 0 -14 -14 0 -10 0 -10
//! out gone: 5 1 5 0 5 5 1 5
//! order-free yes
program b05_living;

inout u32 gone[8];
in    i32 x[8];
out   i32 y[8];

kernel groups(2) workgroup(4) {
    let v = gid.x;
    if gone[v] != 0 { return; }
    let s = group_add(x[v]);
    grid_barrier;
    gone[7 - v] = 5;
    grid_barrier;
    y[v] = s;
}
