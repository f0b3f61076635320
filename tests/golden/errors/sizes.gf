// GF0209 GF0210: sizes and defaults use what is known before.
program sizes;
param u32 a = b;
param u32 b = 2;
in u32 row[n + 1];
param u32 n;
in u32 col[];
in u32 also[len(row)];
in u32 right[len(col)];
out u32 x[];
scratch u32 y[gid.x];
scratch u32 z[row[0]];
scratch u32 t[space.x];
out u32 u[n] returns(0 .. f(1));

fn u32 f(u32 a) { return a; }
kernel (x[0]) { u[gid.x] = 1; }
