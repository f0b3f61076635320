// The same loop with and without a grid-uniform `if` around it: the same values.
//! args --set on=1
//! out left: 0 5 14 27 44 65 90 119
//! out right: 0 5 14 27 44 65 90 119
//! order-free yes
//! case not taken
//! args --set on=0
//! out left: 0 5 14 27 44 65 90 119
//! out right: 0 0 0 0 0 0 0 0
program anchor42;

param u32 on;
out   u32 left[8];
out   u32 right[8];

kernel (8) workgroup(2) {
    var u32 a = 0;
    for k in 0 .. 2 * gid.x { a += k; }
    left[gid.x] = a + 4 * gid.x;
    grid_barrier;
    if on == 1 {
        var u32 b = 0;
        for k in 0 .. 2 * gid.x { b += k; }
        right[gid.x] = b + 4 * gid.x;
        grid_barrier;
    }
}
