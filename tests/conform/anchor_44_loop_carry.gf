// carry = [3, 7]; four times carry = [carry1, carry0 + carry1]: 27 44.
//! args --in carry=3,7
//! out carry: 27 44
//! out own: 27 44
//! order-free yes
program anchor44;

inout u32 carry[2];
out   u32 own[2];

kernel (2) workgroup(1) {
    var u32 a = 3;
    var u32 b = 7;
    for k in 0 .. 4 {
        let first = carry[0];
        let second = carry[1];
        grid_barrier;
        carry[gid.x] = select(gid.x == 0, second, first + second);
        let c = a + b;
        a = b;
        b = c;
    }
    own[gid.x] = select(gid.x == 0, a, b);
}
