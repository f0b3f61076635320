//! args --set n=40 --set turns=3 --in x=iota
//! out x: 0 0 0 0 1 5 15 35 70 126 210 330 495 715 1001 1365 1820 2380 3060 3876 4845 5985 7315 8855 10626 12650 14950 17550 20475 23751 27405 31465 35960 40920 46376 52360 58905 66045 73815 82251
//! case no turns
//! args --set n=3 --set turns=0 --in x=5,6,7
//! out x: 5 6 7
//
// Prefix sums behind other kernels of a graph, three times: of i, which is i over 1, they make i over 4. Blocks take
// tiles by ticket, and the first thing that the kernel does
// must not be to take one while the kernel before may still be at work.
program scan_in_graph;

param u32 n;
param u32 turns;
inout u32 x[n];

kernel (n) workgroup(16) {
    for turn in 0 .. turns {
        let before = grid_scan_add(x[gid.x]);
        grid_barrier;
        x[gid.x] = before;
    }
}
