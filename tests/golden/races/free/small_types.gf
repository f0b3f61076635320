// Small elements that share a word are elements of their own.
//! out a: 0 1 2 3 4 5 6 7
//! out b: 0 -1 -2 -3 -4 -5 -6 -7
//! out c: 0 0.5 1 1.5 2 2.5 3 3.5
program small_types;
out u8 a[8];
out i16 b[8];
out f16 c[8];
kernel (8) workgroup(2) {
    a[gid.x] = gid.x;
    b[gid.x] = -i32(gid.x);
    c[gid.x] = f32(gid.x) * 0.5;
}
