//! args --set n=5 --set outer=3 --set inner=2 --in x=1,2,3,4,5
//! out x: 100946 22214 42059 61576 81421
//! out seen: 9 0 946 0
//! case more turns than are laid out
//! args --set n=5 --set outer=4 --set inner=21 --in x=1,2,3,4,5
//! out x: 468400548 1523299517 2578198486 3633097455 393029120
//! out seen: 104 38 964 0
//! case none
//! args --set n=5 --set outer=3 --set inner=0 --in x=1,2,3,4,5
//! out x: 456 483 375 402 429
//! out seen: 21 53 483 0
//! case many of both
//! args --set n=3 --set outer=3 --set inner=70 --in x=7,8,9
//! out x: 2780617898 356069213 2226487824
//! out seen: 39 20 898 0
//
// Loops of grid barriers in a loop of them: counted, until the data says so, and under a condition; none of it known
// before the run but the first. Whoever lays them out as kernels one behind the other has to stop in the middle.
program loop_in_loop;

param u32 n;
param u32 outer;
param u32 inner;
inout u32 x[n];
out u32 seen[4];
scratch u32 y[n];

kernel (n) {
    var u32 turns = 0;
    var u32 asked = 0;
    var u32 most = 0;
    for t in 0 .. outer {
        for k in 0 .. (inner + t) % 32 {
            y[gid.x] = x[(gid.x + 1) % n] * 3 + k;
            swap(x, y);
            turns += 1;
        }
        if most % 3 != 1 {
            var u32 left = most % 29 + t;
            while left > 0 {
                y[gid.x] = x[gid.x] + left;
                let odd = grid_add(x[gid.x] % 2);
                swap(x, y);
                asked += odd;
                left = left - min(left, 1 + odd % 2);
                turns += 1;
            }
            most += 1;
        } else {
            x[gid.x] ^= t;
            for k in 0 .. inner {
                y[gid.x] = x[n - 1 - gid.x];
                swap(x, y);
            }
        }
        let largest = grid_max(x[gid.x] % 1000);
        most = max(most, largest);
    }
    if gid.x == 0 {
        seen[0] = turns;
        seen[1] = asked;
        seen[2] = most;
    }
}
