// With grid_load it runs: the value is loaded once, between two barriers.
//! args --set n=5
//! out y: 3 3 3 3 3
//! out flag: 3
program b28_load;

param u32 n;
out   u32 flag[1];
out   u32 y[n];

kernel (n) workgroup(2) {
    var bool go = true;
    while go {
        y[gid.x] += 1;
        if gid.x == n - 1 { flag[0] += 1; }
        let seen = grid_load(flag[0]);
        if gid.x == 0 && seen == 99 { flag[0] = 0; }
        go = seen < 3;
    }
}
