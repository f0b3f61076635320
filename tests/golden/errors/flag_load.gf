// GF0304: a flag is loaded too early for a head; the fix is grid_load.
program flag_load;
param u32 n;
inout u32 flag[1];
inout u32 x[n];
kernel (n) {
    let v = gid.x;
    let stop = flag[0];
    while stop == 0 {
        grid_barrier;
        if x[v] > 3 { flag[0] = 1; }
    }
    while flag[0] == 0 { grid_barrier; }
    while atomic_load(flag[0]) == 0 { grid_barrier; }
    let now = grid_load(flag[0]);
    if now == 0 { grid_barrier; }
    let there = grid_load(flag[v]);
}
