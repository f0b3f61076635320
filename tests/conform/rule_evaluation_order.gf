// Left to right: operands, arguments, the index before the value, both sides of a select; && and || stop where decided.
//! out y: 1 210 3 1 0 21 0 1 11 5
//! out a: 0 1 0 0
//! out c: 1
//! order-free no
program rule_order;

out u32 y[10];
out u32 a[4];
out u32 c[1];
scratch u32 k[10];

fn u32 next(u32 slot) {
    return atomic_add(k[slot], 1);
}

fn u32 digits(u32 hundreds, u32 tens, u32 ones) {
    return hundreds * 100 + tens * 10 + ones;
}

fn bool count(bool result) {
    atomic_add(k[9], 1);
    return result;
}

kernel (1) workgroup(1) {
    y[0] = next(0) * 10 + next(0);
    y[1] = digits(2 - next(1), 2 - next(1), 2 - next(1));
    a[next(2)] = next(2) + 10;
    y[2] = atomic_add(k[2], 1) + 1;
    a[0] -= 11;
    y[3] = select(next(3) == 0, next(3), next(3));
    y[4] = u32(count(false) && count(true));
    y[5] = 20 + u32(count(true) || count(false));
    y[6] = k[9] - 2;
    a[next(4) + 1] += next(4);
    y[7] = u32(next(5) < next(5));
    y[8] = max(next(6), next(6)) + min(10, next(6) + 9);
    y[9] = k[3] + k[4];
    c[0] = k[5] / 2;
}
