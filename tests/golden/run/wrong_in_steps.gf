//! args --set n=400 --set rounds=6
//! out x: 15 14 13 12
//! case in one branch
//! args --set n=400 --set rounds=6 --set bad=300 --set worse=5 --set when=3
//! status 6
//! error GF0704
//! stderr error[GF0704]: assert failed: "odd, second" (invocation 5)
//! case in the other branch
//! args --set n=400 --set rounds=6 --set bad=300 --set worse=5 --set when=2
//! status 6
//! error GF0704
//! stderr error[GF0704]: assert failed: "even, second" (invocation 5)
//! case the first is lower
//! args --set n=400 --set rounds=6 --set bad=3 --set worse=5 --set when=2
//! status 6
//! error GF0704
//! stderr error[GF0704]: assert failed: "even, first" (invocation 3)
//! case it ends before the next
//! args --set n=400 --set rounds=6 --set bad=300 --set worse=5 --set when=1 --set next=2
//! status 6
//! error GF0704
//! stderr error[GF0704]: assert failed: "odd, first" (invocation 300)
//! case a loop in the loop
//! args --set n=400 --set rounds=6 --set inner=399 --set within=1 --set when=4
//! status 6
//! error GF0704
//! stderr error[GF0704]: assert failed: "within, second" (invocation 1)
// The same where a kernel does what comes next: branches, and loops in a loop.
program wrong_in_steps;

param u32 n;
param u32 rounds;
param u32 bad = 1000;
param u32 worse = 1000;
param u32 inner = 1000;
param u32 within = 1000;
param u32 when = 100;
param u32 next = 0;
out u32 x[4];
scratch u32 w[n];
scratch u32 y[n];
scratch u32 z[n];

kernel {
    var u32 now = 0;
    while now < rounds {
        now += 1;
        var u32 most = 0;
        if now % 2 == 1 {
            forall i in 0 .. n {
                assert(i != bad || now != when, "odd, first");
                w[i] = i;
            }
            forall i in 0 .. n {
                assert(i != worse || now != when || next != 0, "odd, second");
                y[i] = i;
            }
        } else {
            forall i in 0 .. n {
                assert(i != bad || now != when, "even, first");
                z[i] = now;
            }
            forall i in 0 .. n {
                assert(i != worse || (now != when && now != next), "even, second");
                y[i] = i + 1;
            }
        }
        forall i in 0 .. n reduce(max most) {
            most = y[i] % 2;
        }
        while most < now {
            most += 1;
            forall i in 0 .. n {
                assert(i != inner || now != when, "within, first");
                w[i] = most;
            }
            forall i in 0 .. n {
                assert(i != within || now != when, "within, second");
                y[i] = i;
            }
        }
    }
    forall i in 0 .. 4 {
        x[i] = 3 - i + 2 * rounds;
    }
}
