// In place with two barriers: everybody has read before anybody writes.
//! out a: 232 233 234 235
program rotate_in_place;
out u32 a[4];
kernel (4) workgroup(2) {
    a[gid.x] = gid.x + 232;
    grid_barrier;
    for t in 0 .. 8 {
        let v = a[(gid.x + 1) % 4];
        grid_barrier;
        a[gid.x] = v;
        grid_barrier;
    }
}
