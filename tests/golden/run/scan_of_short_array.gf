//! args --set n=1500 --in x=iota --size x=700
//! out last: 244650
//! out check: 499399947
//! races no
//! case as long as it must be
//! args --set n=1500 --in x=iota --size x=1500
//! out last: 1124250
//! out check: 2116511771
// A prefix sum of an array itself: where it has ended, zeros are added. In its last parts a device that takes the values
// from the array may not.
program scan_of_short_array;

param u32 n;
in u32 x[];
out u32 last[1];
out u32 check[1];

kernel (n) {
    let i = gid.x;
    let a = x[i];
    let before = grid_scan_add(a);
    if i == n - 1 {
        last[0] = before + a;
    }
    atomic_xor(check[0], before * (i + 1));
}
