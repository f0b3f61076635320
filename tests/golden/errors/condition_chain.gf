// GF0304: the chain of definitions that makes a condition vary.
program condition_chain;
param u32 n;
inout u32 x[n];
kernel (n) {
    let v = gid.x;
    let d = x[v] * 2;
    var u32 turn = 0;
    var u32 last = 5;
    if d > 3 { last = d; }
    while turn < last {
        x[v] += 1;
        grid_barrier;
        turn += 1;
    }
}
