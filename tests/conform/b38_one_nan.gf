// The one NaN: 0/0, inf - inf, 0 * inf, sqrt(-1), a payload copied, a negated NaN; operands constant, param and loaded.
//! args --set zero=0 --set big=inf --set bad=nan --in x=0,inf,nan --in payload=2139169605,4290772993,4294967295
//! out y: 2143289344 2143289344 2143289344 2143289344 2143289344 2143289344 2143289344 2143289344 2143289344 2143289344 2143289344 2143289344 2143289344 2143289344 2143289344 2143289344 2143289344 2143289344 2143289344 2143289344 2143289344
//! out stored: 2143289344 2143289344 2143289344 2143289344 2143289344 2143289344
//! order-free no
program b38;

const f32 Z = 0.0;
const f32 I = inf;
param f32 zero;
param f32 big;
param f32 bad;
in    f32 x[3];
in    u32 payload[3];
out   u32 y[21];
out   u32 stored[6];
scratch f32 s[6];

kernel (1) workgroup(1) {
    y[0] = bitcast<u32>(Z / Z);
    y[1] = bitcast<u32>(I - I);
    y[2] = bitcast<u32>(Z * I);
    y[3] = bitcast<u32>(sqrt(-(Z + 1.0)));
    y[4] = bitcast<u32>(-nan);
    y[5] = bitcast<u32>(abs(nan));
    y[6] = bitcast<u32>(zero / zero);
    y[7] = bitcast<u32>(big - big);
    y[8] = bitcast<u32>(zero * big);
    y[9] = bitcast<u32>(sqrt(zero - 1.0));
    y[10] = bitcast<u32>(-bad);
    y[11] = bitcast<u32>(bad + 1.0);
    y[12] = bitcast<u32>(x[0] / x[0]);
    y[13] = bitcast<u32>(x[1] - x[1]);
    y[14] = bitcast<u32>(x[0] * x[1]);
    y[15] = bitcast<u32>(sqrt(x[0] - 1.0));
    y[16] = bitcast<u32>(-x[2]);
    y[17] = bitcast<u32>(fma(x[1], x[0], x[2]));
    y[18] = bitcast<u32>(bitcast<f32>(payload[0]));
    y[19] = bitcast<u32>(-bitcast<f32>(payload[1]));
    y[20] = bitcast<u32>(bitcast<f32>(payload[2]) * 2.0);
    s[0] = bitcast<f32>(payload[0]);
    s[1] = -bitcast<f32>(payload[1]);
    atomic_exchange(s[2], bitcast<f32>(payload[2]));
    atomic_store(s[3], x[0] / x[0]);
    s[4] = select(payload[0] == 0, 1.0, bitcast<f32>(payload[0]));
    let kept = bitcast<f32>(payload[1]);
    grid_barrier;
    s[5] = kept;
    for i in 0 .. 6 { stored[i] = bitcast<u32>(s[i]); }
}
