// ptx: stages
// The same plan as kernels one behind the other.
program stages;

param u32 n;
param u32 turns;
inout f32 x[n];
scratch f32 y[n];

kernel (n) {
    for turn in 0 .. turns {
        y[gid.x] = x[gid.x] * 0.5;
        grid_barrier;
        x[gid.x] = y[n - 1 - gid.x];
        grid_barrier;
    }
}
