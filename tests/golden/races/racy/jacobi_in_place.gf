// A relaxation that reads neighbours and writes in place.
//! race a both both
//! args --in a=0,0,0,0,0,0,0,0,0,8
program jacobi_in_place;
inout f32 a[10];
kernel (8) workgroup(4) {
    for t in 0 .. 2 {
        a[gid.x + 1] = 0.5 * (a[gid.x] + a[gid.x + 2]); // @both
        grid_barrier;
    }
}
