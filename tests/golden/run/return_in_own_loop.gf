//! args --set n=10
//! out y: 0 0 6 0 6 0 6 0 6 0
//! out turns: 6 4 6 4 6 4 6 4 6 4
// Whoever returns in a loop of its own leaves the loop, though the workgroup's arrays are still to be kept for others.
program return_in_own_loop;

param u32 n;
out u32 y[n];
out u32 turns[n];
shared u32 kept[4];

kernel (n) workgroup(4) {
    kept[lid.x] = gid.x;
    var u32 k = 0;
    loop {
        k += 1;
        turns[gid.x] = k;
        if k > 3 && gid.x % 2 == 1 {
            return;
        }
        if k > 5 {
            break;
        }
    }
    grid_barrier;
    if gid.x > 0 {
        y[gid.x] = k + kept[lid.x ^ 2] * 0;
    }
}
