// Of two halves one is read and one is written; the reader of the neighbour looks into the wrong half.
//! race a write read
program double_buffer_off_by_one;
scratch u32 a[8];
out u32 x[4];
kernel (4) workgroup(2) {
    for t in 0 .. 4 {
        let now = t % 2 * 4;
        let next = (t + 1) % 2 * 4;
        a[next + gid.x] = a[next + (gid.x + 1) % 4] + now; // @read @write
        grid_barrier;
    }
    x[gid.x] = a[gid.x];
}
