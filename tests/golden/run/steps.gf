//! args --set n=300 --set rounds=9 --set bad=99
//! out seen: 0 996151 1 252008 0 252008 0 127101 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
//! out wide: 1574998867181568 2748779069440
//! out sum: 0 18769.75 0 1650.375 0 1652.375 0 868.75 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
//! case no turn at all
//! args --set n=300 --set rounds=0 --set bad=99
//! out wide: 0 0
//! case one item
//! args --set n=1 --set rounds=5 --set bad=99
//! out x: 0
//! out seen: 0 1 0 1 0 1 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
//! case the run returns in the middle
//! args --set n=64 --set rounds=30 --set bad=99
//! out x: 0 2 3 0 2 3 0 2 3 0 2 3 0 2 3 0 2 3 0 2 3 0 2 3 0 2 3 0 2 3 0 2 3 0 2 3 0 2 3 0 2 3 0 2 3 0 2 3 0 2 3 0 2 3 0 2 3 0 2 3 0 2 3 0
//! out seen: 0 978033 0 6037 0 6037 0 5030 0 0 0 3025 0 3022 0 3022 0 3022 0 0 0 3022 0 3022 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
//! case somebody traps in a loop in a loop
//! args --set n=40 --set rounds=9 --set bad=3
//! status 6
//! error GF0704
//! stderr invocation 2
// Loops whose turns differ, with branches and loops in them that nobody knows before the run: by segments, what would
// be laid out for all of it finds nothing to do mostly.
program steps;

param u32 n;
param u32 rounds;
param u32 bad;
out u32 x[n];
out u32 seen[40];
out u64 wide[2];
out f32 sum[40];
scratch u32 y[n];
scratch u32 limits[2];

kernel {
    forall i in 0 .. n {
        x[i] = i * 7919 % 1000;
    }
    limits[0] = 2;
    limits[1] = 3;
    var u32 now = 0;
    var u64 total = 0;
    var u64 most = 0;
    while now < rounds {
        now += 1;
        if now == 25 {
            return;
        }
        if now % 5 == 4 {
            continue;
        }
        if now % 2 == 1 {
            // Sums of each kind, of as many values as make several blocks of results where n is large.
            var u32 odd = 0;
            var i32 low = 0;
            var f32 all = 0.0;
            var f32 least = 1e30;
            var bool every = true;
            forall i in 0 .. n reduce(add odd, min low, add all, min least, and every, add total, max most) {
                odd = x[i] % 2;
                low = -i32(x[i]);
                all = f32(x[i]) * 0.125;
                least = f32(x[i] + now);
                every = x[i] < 1000;
                total = u64(x[i]) << 33;
                most = u64(x[i] + i) << 31;
            }
            seen[now] = odd + u32(-low) * 1000 + u32(every);
            sum[now] = all + least;
        } else {
            var u32 left = n * 2 + now;
            while left > 3 {
                let before = left;
                left = 0;
                forall i in 0 .. n reduce(add left) {
                    y[i] = x[n - 1 - i] / 2 + i % 3;
                    left = u32(y[i] > before / 4);
                }
                swap(x, y);
                if left == before {
                    break;
                }
                if left % 2 == 1 {
                    // Bounds from memory, in a loop that the data ends.
                    for k in limits[0] .. limits[1] + now % 3 {
                        forall i in 0 .. n {
                            assert(i != 2 || k < bad, "too far");
                            x[i] ^= k + x[i] % (i + 2);
                        }
                    }
                }
            }
            seen[now] = left;
        }
    }
    wide[0] = total;
    wide[1] = most;
}
