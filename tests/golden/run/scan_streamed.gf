//! args --set n=12600007 --in x=iota
//! out last: 1463806035
//! out wrong: 0
//! only native
//! order-free yes
//! long
//
// A prefix sum of an array, into one that is larger than caches are.
program scan_streamed;

param u32 n;
in u32 x[n];
scratch u32 y[n];
out u32 last[1];
out u32 wrong[1];

kernel (n) {
    let i = gid.x;
    let a = x[i];
    let before = grid_scan_add(a);
    y[i] = before * 3 + a;
    grid_barrier;
    let k = n - 1 - i; // of another invocation
    var u32 expected = 0; // k (k - 1) / 2, modulo 2^32
    if k % 2 == 0 {
        expected = k / 2 * (k - 1);
    } else {
        expected = (k - 1) / 2 * k;
    }
    if y[k] != expected * 3 + k {
        atomic_add(wrong[0], 1);
    }
    if k == n - 1 {
        last[0] = y[k];
    }
}
