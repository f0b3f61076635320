//! args --checked
//! status 6
//! error GF0706
//! stderr invocation 0 is at `y[3]`, which is out of bounds: its length is 2
//! strategies native host
//! case an atomic
//! args --set way=1 --checked
//! status 6
//! error GF0706
//! stderr invocation 0 is at `y[3]`, which is out of bounds: its length is 2
//! strategies native host
//! case with what is there
//! args --set way=2 --checked
//! status 6
//! error GF0706
//! stderr invocation 0 is at `y[2]`, which is out of bounds: its length is 2
//! strategies native host
// An element is accessed when its operands are there: what they do wrong comes first. `+=` reads it before.
program checked_operands_first;

param u32 way = 0;
out u32 y[2];

fn u32 beyond(u32 x) {
    y[x] = 2;
    return 0;
}

kernel (1) {
    if way == 0 {
        y[gid.x + 2] = beyond(gid.x + 3);
    } else if way == 1 {
        let old = atomic_exchange(y[gid.x + 2], beyond(gid.x + 3));
    } else {
        y[gid.x + 2] += beyond(gid.x + 3);
    }
}
