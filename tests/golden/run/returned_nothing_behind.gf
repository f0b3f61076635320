//! args --set n=5 --in gone=1,1,1,1,1
//! out least: inf
//! case some
//! args --set n=5 --in gone=1,0,1,1,0
//! out least: 2
// Who has returned gives nothing to a reduction, also where no invocation has work of its own behind it.
program returned_nothing_behind;

param u32 n;
in u32 gone[n];
out f32 least[1];

kernel (n) workgroup(2) {
    if gone[gid.x] != 0 {
        return;
    }
    let g = grid_min(f32(gid.x + 1));
    forall i in 0..1 {
        least[i] = g;
    }
}
