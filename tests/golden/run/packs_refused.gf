//! args --set n=40 --in level=fill:9
//! out level: 0 1 2 3 4 5 6 7 0 1 2 3 4 5 6 7 0 1 2 3 4 5 6 7 0 1 2 3 4 5 6 7 0 1 2 3 4 5 6 7
//! out count: 241 0 56 5 231 5 0 0
//! out most: 38
//! order-free yes
//! case enough for packs of a few blocks
//! args --set n=70001 --set step=37 --in level=fill:9
//! out count: 33102 0 153243 8750 893942388 8750 0 0
//! out most: 69999
//! case enough for packs of many blocks
//! args --set n=1200000 --set step=511 --in level=fill:9
//! out count: 41100 0 2694713 150000 3184253242 150000 0 0
//! out most: 1199999
//! case nearly all
//! args --set n=40003 --set step=1 --in level=fill:9
//! out count: 700015 0 0 5000 15000 5000 0 0
//! out most: 0
//! case none
//! args --set n=40000 --set step=0 --in level=fill:9
//! out count: 0 0 90000 5000 299985000 5000 0 0
//! out most: 39999
//
// What packs do not do themselves: loops behind a condition on what was loaded; and what each invocation does alone:
// atomics, elements anywhere.
program packs_refused;

param u32 n;
param u32 step = 3;
scratch u32 state[n];
scratch u32 order[n];
inout u32 level[n];
out u32 count[8];
out u32 most[1];
out u32 far[n];

kernel (n) {
    let i = gid.x;
    state[i] = select(step > 0 && i % max(step, 1) == 0, 1, i & 2);
    order[i] = n - 1 - i;
    level[i] = i & 7;
    grid_barrier;
    if state[i] == 1 {
        var u32 sum = 0;
        for k in 0 .. 5 {
            sum += level[(i + k) % n];
        }
        atomic_add(count[0], sum);
    } else {
        far[order[i]] = i;
        if state[i] == 2 {
            atomic_max(most[0], i);
            atomic_add(count[2], level[i]);
        }
    }
    grid_barrier;
    let d = atomic_load(level[i]);
    if d != 5 {
        return;
    }
    atomic_add(count[3], 1);
    for k in 0 .. 3 {
        atomic_add(count[4], k + far[i]);
    }
    grid_barrier;
    atomic_add(count[5], 1);
}
