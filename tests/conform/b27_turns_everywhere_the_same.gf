// `done` is set inside the stretch whose end reads it: every workgroup makes two turns.
//! args --set n=9
//! out turns: 2 2 2 2 2 2 2 2 2
//! out done: 1
//! out k: 2
program b27;

param   u32 n;
out     u32 turns[n];
out     u32 done[1];
out     u32 k[1];
scratch u32 a[n];

kernel (n) workgroup(2) {
    var u32 count = 0;
    loop {
        turns[gid.x] += 1;
        count += 1;
        a[n - 1 - gid.x] = count;
        grid_barrier;
        if done[0] != 0 { break; }
        if gid.x == 0 { done[0] = 1; }
    }
    if gid.x == n - 1 { k[0] = count; }
}
