//! args --set n=1000 --set far=7
//! out wrong: 0 0 0 0 0 0 0 0
//! out counts: 1 143 0 162 0 4228273793 143 4294706276
//! out sums: 85278 17380533458706432 1 0
//! out zeros: 0 0
//! races no
//! order-free no
//! case fewer than one thread takes together
//! args --set n=3 --set far=7
//! races no
//! out wrong: 0 0 0 0 0 0 0 0
//! out counts: 1 1 0 1 0 839754830 1 3280292
//! out sums: 0 42063643656192 1 0
//! out zeros: 0 0
//! case many, for several threads
//! args --set n=70001 --set far=4294967295
//! races no
//! out wrong: 0 0 0 0 0 0 0 0
//! out counts: 1 10001 0 11701 0 3597471149 10001 1473635480
//! out sums: 409554628 1228878850058199040 1 0
//! out zeros: 0 0
//! case nobody
//! args --set n=0 --set far=7
//! out wrong: 0 0 0 0 0 0 0 0
//! out counts: 0 0 0 0 0 0 0 0
//! out sums: 0 0 1 0
//! out zeros: 0 0
//
// Atomic adds to one element that many invocations do, and what each of them finds: a device may do those of some
// invocations as one. Each place of a queue is taken once, whoever comes first.
program combined_adds;

const u32 MOST = 4;

param u32 n;
param u32 far; // an element that is not there
out u32 wrong[8];
out u32 counts[8];
out u64 sums[4];
out u32 zeros[2];
scratch u32 taken[MOST * n]; // how often
scratch u32 owner[MOST * n];
scratch u32 queued[1];
scratch u32 listed[2];
scratch u32 list[n];
scratch i32 below[1];
scratch u64 wide[1];
scratch u32 nested[1];
scratch u32 plain[2];
scratch u32 doubled[1];
scratch u32 places[n];

fn u32 hash(u32 i) {
    var u32 x = i * 2654435761;
    x ^= x >> 15;
    x *= 2246822519;
    return x ^ x >> 13;
}

fn u32 mark(u32 who, u32 count, u32 place) {
    for k in 0 .. count {
        atomic_add(taken[place + k], 1);
        owner[place + k] = who;
    }
    return place + count;
}

kernel {
    var u32 all = 0;
    var u64 ends = 0;
    region "under a condition, with loops on both sides" {
        forall i in 0 .. n reduce(add all, add ends) {
            var u32 bits = hash(i) & 0xff;
            var u32 count = 0;
            let kept = f32(i) * 0.5;
            let odd = i % 2 != 0;
            while bits != 0 {
                bits &= bits - 1;
                count += 1;
            }
            count %= MOST;
            all = count;
            if count != 0 {
                var u32 place = atomic_add(queued[0], count);
                if kept == f32(i) * 0.5 && odd == (i % 2 != 0) {
                    place = mark(i, count, place);
                }
                ends = u64(place != 0);
            }
        }
    }
    region "each taken once" {
        forall p in 0 .. MOST * n {
            if taken[p] != u32(p < queued[0]) {
                atomic_add(wrong[0], 1);
            }
            if p < queued[0] && p > 0 && owner[p] != owner[p - 1] {
                atomic_add(counts[0], 1); // runs of one owner
            }
        }
    }
    grid_barrier;
    region "without loops, as an index" {
        forall i in 0 .. n {
            if hash(i) % 3 == 0 {
                if i % 2 == 0 {
                    list[atomic_add(listed[1], 1)] = i;
                }
            }
        }
    }
    grid_barrier;
    region "those of the list" {
        forall k in 0 .. n {
            if k < listed[1] {
                let i = list[k];
                if hash(i) % 3 != 0 || i % 2 != 0 {
                    atomic_add(wrong[1], 1);
                }
                atomic_add(sums[0], u64(i));
            }
        }
    }
    region "nobody asks what was there" {
        forall i in 0 .. n {
            let x = hash(i);
            atomic_add(below[0], i32(x) >> 8);
            atomic_add(plain[0], x);
        }
        forall i in 0 .. n {
            atomic_add(wide[0], u64(hash(i)) << 13);
        }
    }
    region "an element that is not there" {
        forall i in 0 .. n {
            places[i] = i;
            let x = hash(i) | 1;
            let place = atomic_add(listed[far], x);
            if place != 0 {
                atomic_add(wrong[2], 1);
            }
        }
    }
    grid_barrier;
    region "two halves that change what both know" {
        forall i in 0 .. n {
            var u32 x = hash(i) % 5;
            let y = x + 1;
            let was = atomic_add(nested[0], x);
            x += 1;
            if x != y || was > 4 * n {
                atomic_add(wrong[3], 1);
            }
            let second = atomic_add(doubled[0], x);
            places[i] = places[i] - i + u32(second < n * 5);
        }
    }
    grid_barrier;
    region "only perhaps" {
        forall i in 0 .. n {
            if i % 7 == 0 && atomic_add(plain[1], 1) < n {
                atomic_add(counts[1], 1);
            }
            if places[i] != 1 {
                atomic_add(wrong[4], 1);
            }
        }
    }
    grid_barrier;
    counts[0] = u32(counts[0] < n);
    counts[2] = queued[0] - all;
    counts[3] = listed[1];
    counts[4] = nested[0] + n - doubled[0];
    counts[5] = plain[0];
    counts[6] = plain[1];
    counts[7] = u32(below[0]);
    sums[1] = wide[0];
    sums[2] = u64(ends <= u64(n));
    zeros[0] = listed[0];
}
