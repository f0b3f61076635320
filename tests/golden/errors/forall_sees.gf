// GF0308 GF0309: what a forall sees and holds.
program forall_sees;
param u32 n;
inout u32 x[n];
shared u32 w[256];
fn u32 mine(u32 a) { return a + gid.x; }
kernel (n) {
    let v = gid.x;
    var u32 local[4];
    var u32 total = 0;
    var u32 turn = 0;
    turn += 1;
    forall i in 0 .. n {
        x[i] = turn;
        x[i] = gid.x;
        x[i] = w[0];
        x[i] = local[0];
        total += 1;
        x[i] = mine(i);
        if x[i] == 0 { continue; }
        if x[i] == 1 { break; }
        if x[i] == 2 { return; }
        barrier;
        grid_barrier;
        let all = grid_any(true);
        forall k in 0 .. n { x[k] = 1; }
        swap(x, x);
        for j in 0 .. 3 { if j == 1 { break; } }
    }
}
