// Two halves of a workgroup array; the one just read is cleared for its next use while others still read it.
//! race w clear read
program double_buffer_group;
shared u32 w[8];
out u32 x[8];
kernel groups(2) workgroup(4) {
    for t in 0 .. 4 {
        let half = t % 2 * 4;
        w[half + lid.x] = t;
        barrier;
        x[gid.x] += w[half + 3 - lid.x]; // @read
        w[half + lid.x] = 0; // @clear
    }
}
