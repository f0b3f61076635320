//! args --set n=10 --in x=3,1,4,1,5,9,2,6,5,3
//! out y: 3 4 8 9 14 23 25 31 36 39
//! out total: 39
//! order-free yes
//! case across workgroups
//! args --set n=1000 --in x=fill:7 --out y=-
//! out total: 7000
//! case one element
//! args --set n=1 --in x=42
//! out y: 42
//! out total: 42
//! case sums wrap
//! args --set n=3 --in x=4294967295,1,5
//! out y: 4294967295 0 5
//! out total: 5
//
// Inclusive prefix sums of any length, and the whole sum.
//
// Shapes: x[n]; y[i] = x[0] + ... + x[i], y[n]; total[1]. Sums wrap, as u32 does.
// Complexity: n; x is read twice and y written once where the device has no better way.
// Algorithm: the scan of the language, by linear id; see G. E. Blelloch: Prefix sums and their applications (1990).
program scan;

param u32 n;
in u32 x[n];
out u32 y[n];
out u32 total[1];

kernel (n) {
    let i = gid.x;
    let a = x[i];
    let before = grid_scan_add(a);
    y[i] = before + a;
    if i == n - 1 {
        total[0] = before + a;
    }
}
