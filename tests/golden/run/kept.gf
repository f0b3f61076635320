//! args --set n=5 --in g=4,3,2,1,0 --in a=1,2,3,4,5 --in w=1,1,2,2,3
//! out a: 18.1875 24.9375 18 14 18.5
//! out t: 1 2 3 4 5
//! out sums: 26.4375 178
//! order-free yes
//! case nothing
//! args --set n=0 --in g=fill:0 --in a=fill:0 --in w=fill:0
//! out a:
//! out sums: 0 0
//! case no turns
//! args --set n=3 --set turns=0 --in g=0,1,2 --in a=7,8,9 --in w=1,1,1
//! out a: 7 8 9
//! out sums: 0 0
//! case over two blocks of 4096 items, the last of them of one
//! args --set n=4097 --set turns=3 --in g=iota --in a=fill:1 --in w=iota
//! out sums: 7601066 25192452
// Loops of the plan that look at no element of some buffers but the invocation's own, beside one that is gathered; two
// loops one behind the other, and turns that do nothing to some elements.
program kept;

param u32 n;
param u32 turns = 4;
in u32 g[n];
inout f32 a[n];
in f32 w[n];
out u32 t[n];
out f32 sums[2];
scratch f64 far[n];
scratch f32 near[n];
scratch u64 wide[n];

kernel {
    forall i in 0 .. n {
        far[i] = f64(a[i]);
        t[i] = i + 1;
    }
    var f32 all = 0.0;
    for turn in 0 .. turns {
        var f32 sum = 0.0;
        forall i in 0 .. n reduce(add sum) {
            let j = i;
            near[j] += f32(far[g[i]]) * w[i];
            wide[i] = wide[i] * 3 + u64(turn);
            sum = near[i] - a[i];
        }
        forall i in 0 .. n {
            if i % 3 != turn % 3 {
                a[i] += w[i];
            }
        }
        if sum > 0.5 {
            forall i in 0 .. n / 2 {
                a[i] = a[i] * 1.5;
            }
        }
        all += sum * 0.25;
    }
    sums[0] = all;
    var u32 left = turns;
    while left > 1 {
        var f32 sum = 0.0;
        forall i in 0 .. n {
            a[i] += near[i] * 0.125;
        }
        grid_barrier;
        forall i in 0 .. n reduce(add sum) {
            sum = f32(wide[i] % 7) + a[n - 1 - i] * 0.0;
        }
        left = select(sum > 100000.0, 1, left - 1);
    }
    var f32 last = 0.0;
    forall i in 0 .. n reduce(add last) {
        last = f32(wide[i] % 97) + near[n - 1 - i];
    }
    sums[1] = last;
}
