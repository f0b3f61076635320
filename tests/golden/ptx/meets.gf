// ptx: native threads=256
// A loop of the grid whose end all agree on: the barrier carries the vote. What an invocation keeps is in registers.
program meets;

param u32 n;
in u32 weight[n];
inout u32 least[n];

kernel (n) workgroup(128) {
    let v = gid.x;
    var u32 mine = weight[v];
    var bool more = true;
    while more {
        let before = atomic_load(least[v / 2]);
        atomic_min(least[v / 2], mine);
        mine += before;
        more = grid_any(before > mine);
    }
    least[v] = mine;
}
