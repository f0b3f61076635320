//! args --in x=1,2
//! out a: inf -inf nan 3
//! order-free yes
// No items: the neutral element is combined with what was there, and min and max drop a NaN.
program forall_empty_nan;

in f32 x[];
out f32 a[4];

kernel {
    var f32 low = nan;
    var f32 high = nan;
    var f32 sum = nan;
    var f32 kept = 3.0;
    forall i in len(x) .. 0 reduce(min low, max high, add sum, min kept) {
        low = x[i];
        high = x[i];
        sum = x[i];
        kept = x[i];
    }
    a[0] = low;
    a[1] = high;
    a[2] = sum;
    a[3] = min(kept, 3.0);
}
