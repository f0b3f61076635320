//! args --set n=1 --set m=1
//! races no
//! out y: 0
//! out z: 0
//! case ends in a pack
//! args --set n=9 --set m=6
//! races no
//! out y: 0 0 205 308 311 207
//! out z: -2 -1 0.5 1 1.5 2 7.5 8.5 4.5
//! case nothing is long enough
//! args --set n=21 --set m=2
//! races no
//! out y: 0 0
//! out z: -2 -1 3.5 4.5 2.5 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
//! case longer than packs reach
//! args --set n=1000 --set m=300
//! races no
//! out sum: 223148 341656010752 0
//! case begins outside
//! args --set n=300 --set m=300 --set back=7
//! races no
//! out sum: 221266 347786395648 0
//! case before the start by signed indices
//! args --set n=40 --set m=40 --set back=3
//! races no
//! out y: 0 0 209 211 213 318 321 324 327 330 333 336 339 342 345 348 351 354 357 360 363 366 369 372 375 378 381 384 387 390 393 396 399 402 405 408 271 273 275 137
//! out z: -4 -4.5 -2.5 0 0.5 1 1.5 2 2.5 3 3.5 4 4.5 5 5.5 6 6.5 7 7.5 8 8.5 9 9.5 10 10.5 11 11.5 12 12.5 13 13.5 14 14.5 15 36.5 37.5 38.5 39.5 40.5 20.5
//
// Packs whose elements lie outside their arrays: loads give 0, stores do nothing.
program packs_outside;

param u32 n;
param u32 m;
param u32 back = 1;
scratch u32 x[m];
out u32 y[m];
out f32 z[n];
scratch f32 q[m + 1];
out u64 sum[3];

kernel (n) workgroup(64) {
    let i = gid.x;
    x[i - back] = i + 100;
    q[i64(i) - i64(back)] = f32(i) * 0.5 + 1.0;
    grid_barrier;
    y[i + 2] = x[i] + x[i - back] + x[i + 3];
    z[i] = q[i32(i) - i32(back)] + q[i64(i) - 2] - q[u64(i + back)];
    grid_barrier;
    let one = grid_add(u64(y[i]));
    let two = grid_add(u64(bitcast<u32>(z[i])));
    if i == 0 {
        sum[0] = one;
        sum[1] = two;
    }
}
