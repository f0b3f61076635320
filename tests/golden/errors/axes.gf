// GF0217: axes of ids.
program axes;
param u32 n;
out u32 x[n];
kernel (n) {
    let v = gid.x;
    x[v] = lid.linear + space.x + rank;
    let a = gid;
    let b = rank.x;
    let c = space.linear;
}
