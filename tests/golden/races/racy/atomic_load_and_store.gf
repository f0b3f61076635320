// The flag is looked at by an atomic, but set by a plain store.
//! race flag set look
program atomic_load_and_store;
scratch u32 flag[1];
out u32 x[4];
kernel (4) workgroup(2) {
    if gid.x == 1 {
        flag[0] = 1; // @set
    } else {
        x[gid.x] = atomic_load(flag[0]); // @look
    }
}
