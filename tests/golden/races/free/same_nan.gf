// Every NaN that an operation gives is the one NaN by the time it is stored.
//! out bits: 2143289344
program same_nan;
scratch f32 y[1];
out u32 bits[1];
kernel (2) workgroup(1) {
    let zero = f32(gid.x) * 0.0;
    y[0] = select(gid.x == 0, zero / 0.0, sqrt(zero - 1.0));
    grid_barrier;
    bits[0] = bitcast<u32>(y[0]);
}
