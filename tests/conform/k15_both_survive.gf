// Slot 0 written before a barrier and slot 2 after it: both survive, the rest are zeros.
//! out y: 7 0 9 0 0
//! out seen: 7 7 7 7 7
//! segments 2
//! order-free yes
program k15;

out   u32 y[5];
out   u32 seen[5];

kernel (5) workgroup(2) {
    if gid.x == 4 { y[0] = 7; }
    grid_barrier;
    seen[gid.x] = y[0];
    if gid.x == 0 { y[2] = 9; }
}
