// Returned invocations count as arrived at every barrier of their workgroup.
//! out x: 0 0 5 0
program returned_group;
shared u32 w[4];
out u32 x[4];
kernel groups(1) workgroup(4) {
    w[lid.x] = lid.x + 2;
    if lid.x == 3 {
        return;
    }
    barrier;
    if lid.x == 2 {
        x[lid.x] = w[3];
    }
}
