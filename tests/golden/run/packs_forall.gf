//! args --set n=10 --set from=3
//! out u: 0 567 110 677 220 787 330 897 440 1007
//! out v: 0 0.125 0.25 0.375 0.5 -0.625 0.75 0.875 1 1.125 1.25
//! out told: 4358 1007 0 1 18446744073709547290 0
//! out least: 1.7 -0.375
//! order-free yes
//! case from the start
//! args --set n=4 --set from=0
//! out u: 0 567 110 677
//! out v: 0 0.125 0.25 0.375 0.5
//! out told: 1354 0 0 1 18446744073709550268 0
//! out least: 0 -0.15
//! case nothing
//! args --set n=4 --set from=4
//! out u: 0 567 110 677
//! out v: 0 0.125 0.25 0.375 0.5
//! out told: 0 0 0 1 0 0
//! out least: 1000000000 -0.15
//! case more
//! args --set n=5003 --set from=2
//! out told: 2558170 1022 1 0 8388706 0
//! out least: 0.03999996 -187.61328
//! case much more
//! args --set n=100000 --set from=1
//! out told: 51150800 1023 1 0 4323836700 0
//! out least: 0.03999996 -3750.9922
//
// Foralls from any start, with reductions that packs take part in.
program packs_forall;

param u32 n;
param u32 from;
out u32 u[n];
out f32 v[n + 1];
scratch f32 w[n];
out u32 x[n];
out u64 told[6];
out f32 least[2];

kernel {
    forall i in 0 .. n {
        u[i] = (i * 40503) & 1023;
    }
    forall i in 0 .. n + 1 {
        v[i] = f32(i) * 0.125;
    }
    grid_barrier;
    var u64 sum = 0;
    var u32 most = 0;
    var bool any = false;
    var bool all = true;
    var f32 low = 1e9;
    forall i in from .. n reduce(add sum, max most, or any, and all, min low) {
        sum = u64(u[i]);
        most = u[i] ^ u[i - from];
        any = u[i] == 515;
        all = u[i] < 1023;
        low = abs(v[i] - f32(u[i]) * 0.01);
        if u[i] % 16 == 3 {
            v[i] = -v[i];
            continue;
        }
        x[i] += u[i];
    }
    var i64 down = 0;
    forall i in i64(from) .. i64(n) reduce(add down) {
        down = i64(v[i] * 8.0) - i64(u[i]);
    }
    grid_barrier;
    forall i in 0 .. n {
        w[i] = v[i] - v[i + 1];
    }
    grid_barrier;
    var f32 all_of_it = 0.0;
    forall i in 0 .. n reduce(add all_of_it) {
        all_of_it = w[i] * 0.3;
    }
    told[0] = sum;
    told[1] = u64(most);
    told[2] = select(any, 1, 0);
    told[3] = select(all, 1, 0);
    told[4] = u64(down);
    least[0] = low;
    least[1] = all_of_it;
}
