// GF0211 GF0212 GF0213 GF0214 GF0215: functions.
program calls;
param u32 n;
out u32 x[n];
fn u32 one(u32 a) { return a; }
fn store(u32 v) { x[v] = 1; }
fn u32 around(u32 a) { return again(a); }
fn u32 again(u32 a) { return around(a); }
fn u32 itself(u32 a) { if a == 0 { return 0; } return itself(a - 1); }
fn u32 sometimes(u32 a) { if a > 1 { return 1; } }
fn u32 always(u32 a) { if a > 1 { return 1; } else { return 2; } }
fn u32 forever(u32 a) { loop { if a == 1 { return 1; } } }
fn u32 broken(u32 a) { loop { if a == 1 { break; } } }
fn nothing(u32 a) { return a; }
fn u32 value(u32 a) { return; }
fn leave() { break; }
kernel (n) {
    let v = gid.x;
    let a = one(1, 2);
    let b = one(1.5);
    let c = store(v);
    store(v) ;
    one(v);
    x[v] = 1 + store(v);
    return 3;
}
