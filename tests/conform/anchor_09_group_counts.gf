// A grid of 3 x 5 groups of 4 x 2: counts read back 3 5 1, sizes 4 2 1.
//! out s: 3 5 1 4 2 1 12 10 1
//! order-free yes
program anchor09;

out u32 s[9];

kernel groups (3, 5) workgroup(4, 2) {
    if gid.linear == 119 {
        s[0] = grid_size.x; s[1] = grid_size.y; s[2] = grid_size.z;
        s[3] = group_size.x; s[4] = group_size.y; s[5] = group_size.z;
    }
    grid_barrier;
    if gid.linear == 0 { s[6] = space.x; s[7] = space.y; s[8] = space.z; }
}
