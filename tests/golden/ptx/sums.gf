// ptx: threads=64
// Places from prefix sums of a workgroup, and sums of the grid in the fixed order.
program sums;

param u32 n;
in f32 x[n];
out u32 place[n];
out f32 total[1];

kernel (n) workgroup(64) {
    let before = group_scan_add(select(x[gid.x] > 0.0, 1, 0));
    place[gid.x] = before;
    let sum = grid_add(x[gid.x]);
    total[0] = sum;
}
