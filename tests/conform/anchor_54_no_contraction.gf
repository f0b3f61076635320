// f32 a = 1 + 2^-12: a * a - (1 + 2^-11) is 0 unfused, 2^-24 by fma, everywhere.
//! args --set a=1.000244140625
//! out y: 0 864026624
//! order-free yes
program anchor54;

param f32 a;
out   u32 y[2];

kernel (1) workgroup(1) {
    y[0] = bitcast<u32>(a * a - 1.00048828125);
    y[1] = bitcast<u32>(fma(a, a, -1.00048828125));
}
