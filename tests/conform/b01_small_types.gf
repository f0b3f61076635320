// The same where elements share a word: bytes and halves beside those that are written survive, from other workgroups.
//! args --in a=1,2,3,4,5,6,7 --in b=-1,-2,-3,-4,-5 --in c=1,2,3,4,5
//! out a: 1 20 3 20 5 20 7
//! out b: -1 30 -3 30 -5
//! out c: 1 2.5 3 2.5 5
//! out y: 1 3 5 7
//! order-free yes
program b01_small;

inout u8  a[7];
inout i16 b[5];
inout f16 c[5];
out   u32 y[4];

kernel (7) workgroup(2) {
    let v = gid.x;
    if v % 2 == 1 {
        a[v] = 20;
        if v < 5 { b[v] = 30; c[v] = 2.5; }
    }
    grid_barrier;
    if v < 4 { y[v] = a[v * 2]; }
}
