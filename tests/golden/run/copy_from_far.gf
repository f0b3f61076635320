//! args --set n=3 --in x=1,2,3,4
//! out y: 0 0 0 9 9 9 0 0 1
//! races no
// What a copy reads beyond the end is 0, also where the place that it begins at and the number of elements together go
// around 2^64; a negative place is in front of the array.
program copy_from_far;

param u32 n;
in u32 x[4];
out u32 y[9];

kernel (1) {
    for i in 0 .. 9 {
        y[i] = 9;
    }
    copy_async(y, 0, x, u64(0) - 1, n, first);
    copy_async(y, 6, x, i64(0) - 2, n, second);
    wait(first);
    wait(second);
}
