// Loops that never end, of each level: the time limit ends them all, and a run that ends is not disturbed by the looking.
//! args --set which=0 --set n=70 --timeout 60
//! out a: 15 15 15 15
//! case of an invocation
//! args --set which=1 --set n=70 --timeout 0.3
//! status 7
//! error GF0701
//! case of one invocation among others
//! args --set which=2 --set n=70 --timeout 0.3
//! status 7
//! error GF0701
//! case of a workgroup
//! args --set which=3 --set n=70 --timeout 0.3
//! status 7
//! error GF0701
//! case of the grid, without a barrier
//! args --set which=4 --set n=70 --timeout 0.3
//! status 7
//! error GF0701
//! case of the grid, with a barrier
//! args --set which=5 --set n=70 --timeout 0.3
//! status 7
//! error GF0701
program loops_without_end;

param u32 n;
param u32 which;
out u32 a[4];
scratch u32 b[n];

kernel (n) workgroup(32) {
    var u32 x = 0;
    while which == 1 {
        x += 1;
    }
    loop {
        if which != 2 || gid.x != 40 {
            break;
        }
    }
    b[gid.x] = x;
    barrier;
    group while which == 3 {
        b[gid.x] += 1;
        barrier;
    }
    var u32 t = 0;
    grid while t < 5 || which == 4 {
        t += 1;
    }
    grid while which == 5 {
        b[n - 1 - gid.x] = t;
        grid_barrier;
    }
    var u32 sum = t;
    grid for i in 0 .. n - 61 {
        sum += 1;
    }
    grid for i in 0 .. u64(1) {
        sum += u32(i) + 1;
    }
    if gid.x < 4 {
        a[gid.x] = sum;
    }
}
