// A kernel with another space.
program space_indirect;

param u32 n = 1;
in u32 counts[n + 4];
out u32 y[1];

kernel indirect(counts, n + 1) workgroup(8, 8) {
    y[0] = 1;
}
