// A kernel with another space.
program space_none;

param u32 n = 1;
in u32 counts[n + 4];
out u32 y[1];

kernel fixpoint(3) {
    y[0] = 1;
}
