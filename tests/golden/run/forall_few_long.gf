// A reduction over few but long indices, shared out among threads in smaller parts than the blocks of its fixed order:
// the bits of the sum stay those of the order, and an index that says nothing counts for nothing.
//! args --set n=1000 --in x=iota
//! out some: 404905.94 0 994
//! out all: 461236
//! case less than one part
//! args --set n=17 --in x=iota
//! out some: 905.2139 0 119.97116
//! out all: 122
//! case more than one block
//! args --set n=5000 --in x=iota
//! out some: 8999461 0 4998
//! out all: 11535390
program forall_few_long;

param u32 n;
in f32 x[n];
out f32 some[3];
out u32 all[1];

kernel {
    var f32 sum = 1.0;
    var f32 low = inf;
    var f32 high = -inf;
    var u32 count = 5;
    forall b in 0 .. n reduce(add sum, min low, max high, add count) {
        var f32 t = x[b];
        for i in 0 .. b % 7 * 100 {
            t = t * 0.999 + 0.25;
        }
        if b % 13 == 3 {
            continue;
        }
        sum += t;
        low = min(low, t);
        high = max(high, t);
        count += b;
    }
    some[0] = sum;
    some[1] = low;
    some[2] = high;
    all[0] = count;
}
