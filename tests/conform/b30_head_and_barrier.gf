// With a droppable barrier inside the loop, too.
//! args --set n=5
//! out y: 6 6 6 6 6
//! out flag: 3
program b30_barrier;

param u32 n;
out   u32 flag[1];
out   u32 y[n];

kernel (n) workgroup(2) {
    while flag[0] < 3 {
        y[gid.x] += 1;
        grid_barrier;
        y[gid.x] += 1;
        if gid.x == 2 { flag[0] += 1; }
    }
}
