//! args --set n=3 --in x=2,5,1
//! out x: 4 7 3
//! out sums: 25
//! order-free yes
// How often the loop is gone through stands in a buffer of which each turn changes the invocation's own element.
program kept_bound;

param u32 n;
inout u32 x[n];
out f32 sums[1];

kernel {
    var f32 all = 0.0;
    for t in 0 .. x[0] {
        var f32 sum = 0.0;
        forall i in 0 .. n reduce(add sum) {
            x[i] += 1;
            sum = f32(x[i]);
        }
        all += sum;
    }
    sums[0] = all;
}
