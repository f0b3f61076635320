// 0 and -0 are equal as numbers, and not the same bytes.
//! race y minus plus
program zero_signs;
scratch f32 y[1];
kernel (2) workgroup(1) {
    if gid.x == 0 {
        y[0] = -0.0; // @minus
    } else {
        y[0] = 0.0; // @plus
    }
}
