// ptx: stages
// Prefix sums between kernels that follow each other: one that clears the words of tiles, one that makes values, sums
// and what comes of them, in tiles that blocks take by ticket.
program scans;

param u32 n;
in u32 x[n];
out u32 y[n];

kernel (n) {
    let a = x[gid.x];
    let before = grid_scan_add(a);
    y[gid.x] = before + a;
}
