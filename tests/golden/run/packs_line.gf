//! args --set n=1
//! out narrow: 4294937546
//! out wide: -4294937546
//! order-free yes
//! case two
//! args --set n=2
//! out narrow: 4294937547 4294938548
//! out wide: -4294937547 4294996045
//! case three
//! args --set n=3
//! out narrow: 4294909547 4294938556 4294939307
//! out wide: -4294909547 4294996037 12884929880
//! case four
//! args --set n=4
//! out narrow: 4294909547 4294911556 4294939322 4294940322
//! out wide: -4294909547 4295023037 12884929865 -9223372015379912352
//! case five
//! args --set n=5 --set off=1
//! out narrow: 4294909547 4294911556 4294913322 4294940344 4294941337
//! out wide: -4294909547 4295023037 12884955865 -9223372015379912373 -9223372006789978774
//! case seven, two away
//! args --set n=7 --set off=2
//! out narrow: 4294909547 4294911556 4294913322 4294915344 4294917366 4294942388 4294943367
//! out wide: -4294909547 4295023037 12884955865 -9223372015379887373 -9223372006789954802 38654730582 47244664196
//! case eight, three away
//! args --set n=8 --set off=3
//! out narrow: 4294909547 4294911556 4294913322 4294915344 4294917366 4294919388 4294943410 4294944382
//! out wide: -4294909547 4295023037 12884955865 -9223372015379887373 -9223372006789954802 38654753582 47244664154 55834597775
//! out half: -1.9 -1.699 -1.5 -1.301 -1.1 -0.9 -0.7 -0.3
//! case hundreds
//! args --set n=515 --set off=5
//! out check: 1103806567122 1135816986600879 3518799872 4294967168 1 0 0 0
//! case thousands
//! args --set n=9001 --set off=6
//! out check: 17403250478306 347913602506104844 531349504 4294967284 1 0 0 0
//! case aligned again
//! args --set n=8192 --set off=8
//! out check: 15900005606539 288179291836074870 2504900608 4294967261 1 0 0 0
//
// Neighbouring invocations of a line load and store side by side: elements of every size, from an offset on, the
// neighbours left and right, and past both ends.
program packs_line;

param u32 n;
param u32 off = 0;
scratch u8 a[n + off + 3];
scratch i16 b[n + off + 3];
scratch f16 c[n + off + 3];
scratch f32 d[n + off + 3];
scratch f64 e[n + off + 3];
scratch i64 f[n + off + 3];
out u32 narrow[n];
out i64 wide[n];
out f16 half[n];
out u32 back[n];
out u64 check[8];

fn u32 left(u32 i) {
    return i + off;
}

kernel (n) {
    let i = gid.x;
    a[i + off + 1] = i * 7 + 250;
    b[i + off + 1] = i32(i) * 1000 - 30000;
    c[off + i + 1] = f32(i) * 0.1 - 1.0;
    d[i + off + 1] = select(i % 5 == 3, 1.0 / (f32(i) - f32(i)), f32(i) * 0.5);
    e[i + off + 1] = f64(i) * 0.25;
    f[u64(i) + u64(off) + 1] = i64(i) << 33;
    grid_barrier;
    let j = i + off + 1;
    narrow[i] = a[j] + a[left(i)] + a[j + 1] + u32(b[j]) + u32(b[j + 2]);
    half[i] = c[j] + c[j + 1];
    let g = d[j] + d[j - 1];
    wide[i] = f[j] + i64(e[j] * 4.0) + i64(e[j + 1]) + i64(select(is_nan(g), 1000.0, g));
    grid_barrier;
    back[n - 1 - i] = narrow[i];
    narrow[i] += i;
    wide[i] -= i64(narrow[i]);
    grid_barrier;
    let one = grid_add(u64(narrow[i]));
    let two = grid_add(wide[i]);
    let three = grid_add(bitcast<u32>(f32(half[i])));
    let four = grid_max(back[i] ^ i);
    let five = grid_any(half[i] > 100.0);
    if i == 0 {
        check[0] = one;
        check[1] = u64(two);
        check[2] = u64(three);
        check[3] = u64(four);
        check[4] = select(five, 1, 0);
    }
}
