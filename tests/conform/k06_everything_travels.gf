// Workgroup size, space, params, constants and buffers are the same in each segment.
//! args --set w=5 --set h=3 --set add=7 --in x=10,20,30
//! out y: 1017 1027 1037 1017 1027 1027 1037 1017 1027 1037 1037 1017 1027 1037 1017
//! out sizes: 5 3 1 2 2 1 4 2 1 5 3 1 2 2 1 4 2 1
//! segments 2
program k06;

const u32 K = 1000;
param   u32 w;
param   u32 h;
param   u32 add;
in      u32 x[];
out     u32 y[w * h];
out     u32 sizes[18];
scratch u32 a[w * h];

kernel (w, h) workgroup(4, 2) {
    let i = gid.y * w + gid.x;
    a[i] = x[(gid.x + gid.y) % len(x)];
    if gid.linear == 0 {
        sizes[0] = space.x; sizes[1] = space.y; sizes[2] = space.z;
        sizes[3] = grid_size.x; sizes[4] = grid_size.y; sizes[5] = grid_size.z;
        sizes[6] = group_size.x; sizes[7] = group_size.y; sizes[8] = group_size.z;
    }
    grid_barrier;
    y[w * h - 1 - i] = a[w * h - 1 - i] + K + add;
    if gid.linear == w * h - 1 {
        sizes[9] = space.x; sizes[10] = space.y; sizes[11] = space.z;
        sizes[12] = grid_size.x; sizes[13] = grid_size.y; sizes[14] = grid_size.z;
        sizes[15] = group_size.x; sizes[16] = group_size.y; sizes[17] = group_size.z;
    }
}
