// ptx: stages
// Of loops that turn a known number of times all turns stand one behind the other: there is no loop in the graph.
program unrolled;

param u32 n;
inout u32 x[n];
scratch u32 y[n];

kernel (n) {
    for turn in 0 .. 2 {
        y[gid.x] = x[n - 1 - gid.x] + turn;
        grid_barrier;
        x[gid.x] = y[n - 1 - gid.x];
        grid_barrier;
    }
}
