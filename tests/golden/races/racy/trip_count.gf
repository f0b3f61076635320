// How far each one writes depends on the data; only a longer loop reaches into the neighbour's part.
//! case too_far
//! args --in count=2,3
//! race x mine mine
//! case far_enough
//! args --in count=2,2
//! out x: 1 1 2 2 0
program trip_count;
in u32 count[2];
out u32 x[5];
kernel (2) workgroup(1) {
    for k in 0 .. count[1 - gid.x] {
        x[gid.x * 2 + k] = gid.x + 1; // @mine
    }
}
