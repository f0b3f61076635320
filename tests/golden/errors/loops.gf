// GF0411: break and continue.
program loops;
param u32 n;
out u32 x[n];
kernel (n) {
    if n == 1 { break; }
    continue;
    loop { x[gid.x] = 1; break; }
}
