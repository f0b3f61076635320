// Arrays of several types, one written in one segment only and read two segments later, one never written.
//! args --set groups=3
//! out y: 1 11 21 31 41 1001 1011 1021 1031 1041 2001 2011 2021 2031 2041
//! out z: 0 -1 -2 -3 -4 -10 -11 -12 -13 -14 -20 -21 -22 -23 -24
//! out never: 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
//! order-free yes
//! case two passes start anew
//! args --set groups=2 --passes 2
//! out y: 1 11 21 31 41 1001 1011 1021 1031 1041
//! out z: 0 -1 -2 -3 -4 -10 -11 -12 -13 -14
//! out never: 0 0 0 0 0 0 0 0 0 0
program b06_several;

param  u32 groups;
out    u32 y[groups * 5];
out    f32 z[groups * 5];
out    u32 never[groups * 5];
out    u32 tick[groups * 5];
shared u16 w[5];
shared f32 f[5];
shared u64 nothing[3];

kernel groups (groups) workgroup(5) {
    let n = groups * 5;
    w[lid.x] = wid.x * 1000 + lid.x * 10;
    f[lid.x] = -1.0 - f32(wid.x * 10 + lid.x);
    tick[gid.x] = 1;
    grid_barrier;
    w[lid.x] += tick[n - 1 - gid.x];
    grid_barrier;
    tick[n - 1 - gid.x] = 2;
    grid_barrier;
    y[gid.x] = w[lid.x];
    z[gid.x] = f[lid.x] + 1.0;
    never[gid.x] = u32(nothing[lid.x % 3]) + tick[gid.x] - 2;
    barrier;
    nothing[lid.x % 3] = 5;
    w[lid.x] = 7;
}
