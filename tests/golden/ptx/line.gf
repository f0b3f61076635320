// One invocation after another: guards, a division by a constant, a conversion, an element of 16 bits.
program line;

param u32 n;
param f32 a;
in f32 x[n];
in u16 w[n];
inout f32 y[n];

kernel (n) {
    let i = gid.x;
    y[i] = a * x[i] + f32(w[i / 3]) - y[i];
}
