// A guarded barrier in a loop with a trip count of one's own is refused.
//! args --set go=1
//! status 1
//! error GF0304
program anchor21;

param u32 go;
out   u32 x[8];

kernel (8) workgroup(4) {
    for k in 0 .. gid.x % 4 + 1 {
        x[gid.x] += 1;
        if go == 1 { grid_barrier; }
    }
}
