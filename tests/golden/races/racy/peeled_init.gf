// One invocation clears the counters while others of its workgroup already count.
//! race count clear add
program peeled_init;
shared u32 count[1];
out u32 x[2];
kernel groups(2) workgroup(4) {
    if lid.x == 0 {
        count[0] = 0; // @clear
    }
    atomic_add(count[0], 1); // @add
    barrier;
    if lid.x == 0 {
        x[wid.x] = atomic_load(count[0]);
    }
}
