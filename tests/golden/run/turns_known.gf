//! args --set n=5 --set m=2 --set skip=0 --set bad=9
//! out x: 18 58 98 138 178
//! out nested: 142 142 142 142 142
//! out none: 0 0 0 0 0
//! out many: 70 70 70 70 70
//! out left: 1 1 1 1 1
//! out inside: 6 6 6 6 6
//! out down: 87 87 87 87 87
//! case the branch is not taken
//! args --set n=5 --set m=0 --set skip=1 --set bad=9
//! out x: 0 0 0 0 0
//! out nested: 142 142 142 142 142
//! out none: 0 0 0 0 0
//! out many: 70 70 70 70 70
//! out left: 1 1 1 1 1
//! out inside: 0 0 0 0 0
//! out down: 87 87 87 87 87
//! case somebody traps in the second turn
//! args --set n=5 --set m=2 --set skip=0 --set bad=3
//! status 6
//! error GF0703
//! stderr invocation 3
// Loops of the plan whose turns are known: their turns may be laid out one behind the other, whatever stands in them and
// around them.
program turns_known;

const u32 ROUNDS = 2;

param u32 n;
param u32 m;
param u32 skip;
param u32 bad;
scratch u32 y[n];
out u32 x[n];
out u32 nested[n];
out u32 none[n];
out u32 many[n];
out u32 left[n];
out u32 inside[n];
out u32 down[n];

kernel (n) {
    let i = gid.x;
    if skip == 0 {
        for turn in 0 .. ROUNDS * 2 {
            y[i] = x[n - 1 - i] * 3 + turn;
            if turn == 1 && i == bad {
                trap("bad", i);
            }
            grid_barrier;
            x[i] = y[n - 1 - i] + i;
            grid_barrier;
        }
    }
    for a in 0 .. 2 {
        for b in 1 .. 6 step 2 {
            y[i] = nested[n - 1 - i] * 2 + a + b;
            grid_barrier;
            nested[n - 1 - i] = y[i];
            grid_barrier;
        }
    }
    for a in 0 .. 0 {
        y[i] = i;
        grid_barrier;
        none[n - 1 - i] = y[i] + 1;
        grid_barrier;
    }
    for a in 0 .. 70 {
        y[n - 1 - i] = many[n - 1 - i] + 1;
        grid_barrier;
        many[i] = y[i];
        grid_barrier;
    }
    for a in 0 .. 4 {
        y[n - 1 - i] = left[n - 1 - i] + 1;
        grid_barrier;
        left[i] = y[i];
        if y[0] > 0 {
            break;
        }
        grid_barrier;
    }
    for a in 0 .. m {
        for b in 0 .. 3 {
            y[n - 1 - i] = inside[n - 1 - i] + 1;
            grid_barrier;
            inside[i] = y[i];
            grid_barrier;
        }
    }
    for a in i64(3) .. 0 step -1 {
        y[n - 1 - i] = down[n - 1 - i] * 2 + 10 + u32(a);
        grid_barrier;
        down[i] = y[i];
        grid_barrier;
    }
}
