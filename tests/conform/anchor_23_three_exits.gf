// A barrier and nested conditions in a uniform `if`, statements behind it: finishes, out[63] = 63, each element right.
//! args --set incl=1 --set g=0
//! out last: 63
//! out wrong: 0
//! out m: 0 0 0
//! case negative
//! args --set incl=1 --set g=-1
//! out last: 63
//! out wrong: 0
//! out m: 7 0 0
//! case exclusive
//! args --set incl=0 --set g=0
//! out last: 63
//! out wrong: 0
//! out m: 7 7 7
program anchor23;

param   u32 incl;
param   i32 g;
out     u32 last[1];
out     u32 wrong[1];
out     u32 m[3];
scratch u32 y[64];
shared  u32 w[64];

kernel groups (1) workgroup(64) {
    let l = lid.x;
    w[l] = 7;
    if incl != 0 {
        barrier;
        if l >= 1 {
            w[l] = 0;
            if g >= 0 { w[0] = 0; }
        }
    }
    y[gid.x] = gid.x;
    barrier;
    if y[63 - l] != 63 - l { atomic_add(wrong[0], 1); }
    if l == 0 {
        last[0] = y[63];
        for k in 0 .. 3 { m[k] = w[k]; }
    }
}
