// Grid barriers in a uniform loop, in a uniform if, in both, three deep.
// Each `step` is y = 2 * mirrored(y) + 1 with the barriers around it: t steps from y = id give, after an even number,
// 2^t * id + 2^t - 1, after an odd one the same with the mirrored id.
//! args --set n=5 --set a=2 --set b=2 --set c=1
//! out y: 15 31 47 63 79
//! out steps: 4
//! case never
//! args --set n=5 --set a=0 --set b=2 --set c=1
//! out y: 0 1 2 3 4
//! out steps: 0
//! case the other side of the if
//! args --set n=5 --set a=3 --set b=2 --set c=0
//! out y: 39 31 23 15 7
//! out steps: 3
//! case one invocation
//! args --set n=1 --set a=2 --set b=1 --set c=1
//! out y: 3
//! out steps: 2
program b08;

param   u32 n;
param   u32 a;
param   u32 b;
param   u32 c;
out     u32 y[n];
out     u32 steps[1];
scratch u32 t[n];

fn step(u32 v) {
    t[v] = 2 * y[n - 1 - v] + 1;
    grid_barrier;
    y[v] = t[v];
    grid_barrier;
}

kernel (n) workgroup(2) {
    let v = gid.x;
    y[v] = v;
    var u32 done = 0;
    grid_barrier;
    for i in 0 .. a {
        if c != 0 {
            for j in 0 .. b {
                step(v);
                done += 1;
            }
        } else {
            step(v);
            done += 1;
        }
    }
    if v == 0 { steps[0] = done; }
}
