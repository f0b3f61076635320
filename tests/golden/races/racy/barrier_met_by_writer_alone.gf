// The workgroup that writes has met many barriers, the one that reads none: they count for each alone.
//! race y write read
program barrier_met_by_writer_alone;
scratch u32 y[1];
out u32 x[4];
kernel groups(2) workgroup(2) {
    group if wid.x == 0 {
        barrier;
        barrier;
        if lid.x == 0 {
            y[0] = 1; // @write
        }
        barrier;
    } else {
        x[gid.x] = y[0]; // @read
    }
}
