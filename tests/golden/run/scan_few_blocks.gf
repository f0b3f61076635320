//! args --set n=70000 --in x=fill:3
//! out all: 3054927704
// Prefix sums of more tiles than blocks, which take them by ticket: the segment behind them adds something up.
program scan_few_blocks;

param u32 n;
in u32 x[n];
out u32 all[1];

kernel (n) {
    let s = grid_scan_add(x[gid.x]);
    let sum = grid_add(s);
    if gid.linear == 0 {
        all[0] = sum;
    }
}
