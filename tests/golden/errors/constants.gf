// GF0208 GF0216: constants and sizes of arrays.
program constants;
param u32 n;
const u32 A = 3;
const u32 B = A * n;
const u32 C = D;
const u32 D = 1;
const u32 E = 1 << 40;
const u32 F = 5 / 0;
const i32 G = 2147483647 + 1;
const u32 H = 4294967295 + 1;
const u32 I = 0 - 1;
out u32 x[n];
shared u32 s[n];
shared u32 huge[1 << 30];

kernel (n) {
    var u32 local[n];
    var u32 vast[1 << 30];
    var u32 fine[A + D];
    x[gid.x] = fine[0];
}
