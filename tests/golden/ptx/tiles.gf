// ptx: stages
// A space of rows in packs, by kernels that follow each other: how it is shared out comes with the launch, without a
// division, and is found out while cells are loaded.
program tiles;

param u32 w;
param u32 h;
param u32 turns;
inout f32 x[w * h];
scratch f32 y[w * h];

kernel (w, h) {
    let i = gid.y * w + gid.x;
    for turn in 0 .. turns {
        y[i] = x[i] + x[i + w];
        swap(x, y);
    }
}
