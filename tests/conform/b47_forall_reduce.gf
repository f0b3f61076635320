// Every reduction: add min max and or on integers and floats, or and on bool; NAME starts at the neutral element for
// each index and is combined into the old value; `continue` ends one index.
//! args --set n=10
//! out u: 145 3 9 8 511 21
//! out i: -35 -9 0
//! out f: 4.5 -0.5 4.5
//! out b: 1 0
//! order-free yes
//! case none
//! args --set n=0
//! out u: 100 77 1 12 256 21
//! out i: 10 5 -3
//! out f: -18 7 0
//! out b: 0 1
program b47_reduce;

param u32 n;
out   u32 u[6];
out   i32 i[3];
out   f32 f[3];
out   u32 b[2];

kernel {
    var u32 add0 = 100;
    var u32 min0 = 77;
    var u32 max0 = 1;
    var u32 and0 = 12;
    var u32 or0 = 256;
    var u32 kept = 21;
    var i32 iadd = 10;
    var i32 imin = 5;
    var i32 imax = -3;
    var f32 fadd = -18.0;
    var f32 fmin = 7.0;
    var f32 fmax = 0.0;
    var bool any = false;
    var bool all = true;
    forall k in 0 .. n reduce(add add0, min min0, max max0, and and0, or or0) {
        add0 += k;
        max0 = max(max0, k);
        and0 = 8 + k % 2;
        or0 = or0 | (255 >> k);
        if k < 3 { continue; }
        min0 = k;
    }
    forall k in 0 .. n reduce(add iadd, min imin, max imax) {
        iadd -= i32(k);
        imin = -i32(k);
        imax = -i32(k);
    }
    forall k in 0 .. n reduce(add fadd, min fmin, max fmax) {
        fadd += f32(k) * 0.5;
        fmin = f32(k) * 0.5 - 0.5;
        fmax = f32(k) * 0.5;
    }
    forall k in 0 .. n reduce(or any, and all) {
        any = k == 7;
        all = k != 7;
    }
    forall one in 0 .. 1 {
        u[0] = add0; u[1] = min0; u[2] = max0; u[3] = and0; u[4] = or0; u[5] = kept;
        i[0] = iadd; i[1] = imin; i[2] = imax;
        f[0] = fadd; f[1] = fmin; f[2] = fmax;
        b[0] = u32(any); b[1] = u32(all);
    }
}
