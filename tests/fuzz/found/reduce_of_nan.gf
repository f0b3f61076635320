//! args --set n=1
// A forall without items, and a NaN before it.
program found;

param u32 n;
out f32 a[n];

kernel (n) workgroup(8) {
    var f32 low = 0.0 / 0.0;
    forall i in 5 .. 2 reduce(min low) {
    }
    a[gid.x] = low;
}
