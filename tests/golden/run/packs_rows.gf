//! args --set w=8 --set h=3
//! out a: 0 2531 966 3498 1933 369 2900 1336 3867 9210 7049 8982 6821 8754 6593 1108 3639 2074 510 3041 1477 4008 2444 879
//! out b: 0.25 0 0 0 0 0 0 -2 1.25 0 0 0 0 0 0 -1 2.25 0 0 0 0 0 0 0
//! out c: 0 1278 0 0 979 13 0 0 13 13447 19171 17368 23092 13783 12775 0 13 13359 12164 10982 14621 12675 11480 452
//! order-free yes
//! case one wide
//! args --set w=1 --set h=5
//! out a: 0 2531 966 3498 1933
//! out b: 0 2 4 6 8
//! case three wide
//! args --set w=3 --set h=3
//! out a: 0 2531 966 3498 7734 369 2900 1336 3867
//! out b: 0.25 0 -0.75 1.25 0 0.25 2.25 0 1.25
//! out c: 0 1273 0 0 6398 8 0 14501 8
//! case one row
//! args --set w=13 --set h=1
//! out a: 0 2531 966 3498 1933 369 2900 1336 3867 2303 738 3270 1705
//! out b: 0.25 0 0 0 0 0 0 0 0 0 0 0 -3.25
//! out c: 0 1283 0 0 984 18 0 0 18 18 0 0 18
//! case no multiple of four
//! args --set w=33 --set h=17
//! out sum: 3987923 56136957952 21394263 0
//! case a multiple of four
//! args --set w=132 --set h=35
//! out sum: 35801039 146443272192 4361609985 0
//! case an offset in each row
//! args --set w=64 --set h=9 --set skew=3
//! out sum: 3845202 38883557376 139505855 0
//! case wide and low
//! args --set w=20000 --set h=2
//! out sum: 81898923 8746727424 8140505044355 0
//! case narrow and high
//! args --set w=2 --set h=9000
//! out sum: 36853160 20935804008960 42016947135 0
//! case as wide as a warp is
//! args --set w=128 --set h=128
//! out sum: 131061589 351323291648 109649106836 0
//
// Rows: stencils with borders by condition, by selection and by an early return; inner points; an offset that grows from
// row to row.
program packs_rows;

param u32 w;
param u32 h;
param u32 skew = 0;
scratch u32 x[w * h];
scratch f32 y[w * h + skew * h];
out u32 a[w * h];
out f32 b[w * h];
out u32 c[w * h];
out u64 sum[4];

fn u32 at(u32 col, u32 line) {
    return line * w + col;
}

kernel (w, h) workgroup(64, 2) {
    let i = gid.y * w + gid.x;
    x[i] = (i * 2654435761) >> 20;
    y[i + gid.y * skew] = f32(gid.x) * 0.25 - f32(gid.y);
    grid_barrier;
    region "by condition" {
        if gid.x > 0 && gid.x + 1 < w && gid.y > 0 && gid.y + 1 < h {
            a[i] = x[i - 1] + x[i + 1] + x[at(gid.x, gid.y - 1)] + x[at(gid.x, gid.y + 1)];
        } else {
            a[i] = x[i];
        }
    }
    region "by selection" {
        let left = select(gid.x == 0, 0.0, y[i + gid.y * skew - 1]);
        let right = select(gid.x + 1 == w, 0.0, y[i + gid.y * skew + 1]);
        b[i] = left + right - 2.0 * y[gid.linear + gid.y * skew];
    }
    grid_barrier;
    var u32 turned = 0;
    if gid.x % 3 == 1 {
        turned = a[i] >> 1;
    }
    if a[i] % 2 == 1 {
        turned += 5;
        c[i] = turned + w;
    }
    let one = grid_add(u64(a[i]));
    let two = grid_add(u64(bitcast<u32>(b[i])));
    let three = grid_add(u64(c[i]) * u64(gid.linear + 1));
    if gid.linear == 0 {
        sum[0] = one;
        sum[1] = two;
        sum[2] = three;
    }
    if gid.x == 0 || gid.x > w - 2 || gid.y == 0 {
        return;
    }
    c[i] += a[i + 1] + a[i - 1] + a[i - w];
    if c[i] > 100 {
        return;
    }
    c[i] = 77;
}
