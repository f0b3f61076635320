// Grid-level break and continue, of the right loop, three deep; the counters say which turns were taken.
//! args --set n=3
//! out trace: 1 2 3 11 12 21 22 23 24 31 0 0 0 0 0 0
//! out count: 10
//! order-free yes
program b08_exits;

param   u32 n;
out     u32 trace[16];
out     u32 count[1];

kernel (n) workgroup(2) {
    var u32 at = 0;
    for i in 0 .. 4 {
        var u32 j = 0;
        loop {
            j += 1;
            if i == 0 && j == 4 { break; }
            if i == 1 && j == 3 { break; }
            if i == 3 && j == 2 { break; }
            if j == 5 { break; }
            if i == 9 { continue; }
            if gid.x == (at + 1) % n { trace[at] = i * 10 + j; }
            at += 1;
            grid_barrier;
        }
        if i == 3 { continue; }
        grid_barrier;
    }
    if gid.x == n - 1 { count[0] = at; }
}
