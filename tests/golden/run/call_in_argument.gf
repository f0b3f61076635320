//! args --set n=4
//! out a: 1023 1033 1043 1053
//! order-free yes
// An argument may be what the same function gives, directly or through another.
program call_in_argument;

param u32 n;
out u32 a[n];

fn u32 pair(u32 high, u32 low) {
    return high * 10 + low;
}

fn u32 through(u32 low) {
    return pair(2, low);
}

kernel (n) {
    a[gid.x] = pair(100 + gid.x, through(0)) + pair(0, pair(0, 3));
}
