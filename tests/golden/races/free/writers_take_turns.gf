// Three invocations of a workgroup write one element with a barrier between each two.
//! out y: 3
program writers_take_turns;
out u32 y[1];
kernel groups(1) workgroup(4) {
    if lid.x == 0 {
        y[0] = 1;
    }
    barrier;
    if lid.x == 3 {
        y[0] = 2;
    }
    barrier;
    if lid.x == 1 {
        y[0] = 3;
    }
}
