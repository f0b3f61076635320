// The flag is set by an atomic, but looked at by a plain load. An atomic reader before does not hide the plain one.
//! race flag set look
program atomic_store_and_load;
scratch u32 flag[1];
out u32 x[4];
kernel (4) workgroup(2) {
    if gid.x == 0 {
        x[0] = atomic_load(flag[0]);
    } else if gid.x == 1 {
        x[1] = flag[0]; // @look
    } else if gid.x == 3 {
        atomic_store(flag[0], 1); // @set
    }
}
