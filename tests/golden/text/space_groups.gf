// A kernel with another space.
program space_groups;

param u32 n = 1;
in u32 counts[n + 4];
out u32 y[1];

kernel groups(n, 2) workgroup(64) {
    y[0] = 1;
}
