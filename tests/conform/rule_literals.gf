// What type a literal takes: of the other operand, of what it is assigned, stored, passed or compared to, else u32, with
// a point f32; a shift count gives no type.
//! args --set i=-7 --set l=5 --set d=0.1
//! out u: 4294967295 256 1 2147483648 0
//! out s: -8 -3 -1
//! out q: 1099511627781 549755813888
//! out f: 0.5 0.75
//! out e: 0.30000000000000004 0.1
//! order-free yes
program rule_literals;

param i32 i;
param u64 l;
param f64 d;
out u32 u[5];
out i32 s[3];
out u64 q[2];
out f32 f[2];
out f64 e[2];

fn i32 halve(i32 x) {
    return x / 2;
}

kernel (1) workgroup(1) {
    let a = 5 - 6;
    u[0] = a;
    let b = 1 << 40;
    u[1] = b;
    u[2] = u32(i < 0);
    u[3] = 0x80000000;
    u[4] = 4294967295 + 1;
    s[0] = i - 1;
    s[1] = halve(-7);
    let back = i >> u64(35);
    s[2] = back;
    q[0] = l + 1099511627776;
    q[1] = 1 << 39;
    let h = 0.5;
    f[0] = h;
    f[1] = h + 0.25;
    e[0] = d + 0.2;
    e[1] = 0.1;
}
