// The last workgroup is cut short: its barrier and its sum are those of the lanes that exist.
//! args --set n=5
//! out x: 4 4 4 4 1 0 0 0
program padding;
param u32 n;
scratch u32 y[8];
out u32 x[8];
kernel (n) workgroup(4) {
    y[gid.x] = 1;
    let s = group_add(y[gid.x]);
    x[gid.x] = s;
}
