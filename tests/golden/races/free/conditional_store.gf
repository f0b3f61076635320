// The store under a condition, the barrier outside of it, whatever the condition says.
//! case holds
//! args --set c=1
//! out x: 1 2 3 0
//! case holds_not
//! args --set c=0
//! out x: 0 0 0 0
program conditional_store;
param u32 c;
shared u32 w[4];
out u32 x[4];
kernel groups(1) workgroup(4) {
    if c == 1 {
        w[lid.x] = lid.x;
    }
    barrier;
    x[lid.x] = w[(lid.x + 1) % 4];
}
