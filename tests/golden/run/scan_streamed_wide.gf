//! args --set n=6300019
//! out wrong: 0 0
//! only native
//! order-free yes
//! long
//
// Prefix sums of values that lie in no array, of both widths, into arrays that are larger than caches are.
program scan_streamed_wide;

param u32 n;
scratch u64 y[n];
scratch u64 z[n];
out u32 wrong[2];

kernel (n) {
    let i = gid.x;
    let before = grid_scan_add(u64(i) << 20);
    y[i] = before + 1;
    let mean = grid_scan_add(i % 4);
    z[i] = u64(mean) << 8;
    grid_barrier;
    let k = n - 1 - i; // of another invocation
    if y[k] != (u64(k) * (u64(k) - 1) / 2 << 20) + 1 {
        atomic_add(wrong[0], 1);
    }
    if z[k] != u64(k / 4 * 6 + k % 4 * (k % 4 - 1) / 2) << 8 {
        atomic_add(wrong[1], 1);
    }
}
