//! args --set n=500 --set rounds=3
//! out sum: 374250
//! case in the second turn
//! args --set n=500 --set rounds=3 --set bad=400 --set worse=7 --set when=1
//! status 6
//! error GF0704
//! stderr error[GF0704]: assert failed: "second" (invocation 7)
//! case in the first turn one, in the next another
//! args --set n=500 --set rounds=3 --set bad=400 --set early=0 --set worse=7 --set when=1
//! status 6
//! error GF0704
//! stderr error[GF0704]: assert failed: "first" (invocation 400)
//! case many of them
//! args --set n=500 --set rounds=3 --set bad=499 --set all=20 --set when=2
//! status 6
//! error GF0704
//! stderr error[GF0704]: assert failed: "second" (invocation 20)
//! case the forall that adds up
//! args --set n=500 --set rounds=3 --set bad=499 --set worse=7 --set third=3 --set when=0
//! status 6
//! error GF0704
//! stderr error[GF0704]: assert failed: "third" (invocation 3)
//! case the forall that adds up comes first
//! args --set n=500 --set rounds=3 --set worse=7 --set third=100 --set when=0
//! status 6
//! error GF0704
//! stderr error[GF0704]: assert failed: "second" (invocation 7)
//! case behind the sum
//! args --set n=500 --set rounds=3 --set behind=0 --set third=300 --set when=0
//! status 6
//! error GF0704
//! stderr error[GF0704]: assert failed: "third" (invocation 300)
// Several foralls without a barrier between: a stretch in a loop, which ends where sums are taken.
program wrong_beside_forall;

param u32 n;
param u32 rounds;
param u32 bad = 1000;
param u32 early = 1000;
param u32 worse = 1000;
param u32 all = 1000;
param u32 third = 1000;
param u32 behind = 1000;
param u32 when = 0;
out u32 sum[1];
scratch u32 x[n];
scratch u32 z[n];

kernel {
    var u32 total = 0;
    for turn in 0 .. rounds {
        forall i in 0 .. n {
            assert(i != bad || (turn != when && turn != early), "first");
            x[i] += 1;
        }
        forall i in 0 .. n {
            assert((i != worse && i < all) || turn != when, "second");
            z[i] = i;
        }
        forall i in 0 .. n reduce(add total) {
            assert(i != third || turn != when, "third");
            total += i;
        }
        forall i in 0 .. n {
            assert(i != behind, "fourth");
        }
    }
    sum[0] = total;
}
