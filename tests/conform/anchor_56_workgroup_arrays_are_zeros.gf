// A group writes only s[0] and reads s[63]: 0.
//! out y: 0 5
program anchor56;

out    u32 y[2];
shared u32 s[64];

kernel groups (4) workgroup(1) {
    s[0] = 5;
    grid_barrier;
    if gid.x == 3 { y[0] = s[63]; y[1] = s[0]; }
}
