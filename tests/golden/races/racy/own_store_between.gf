// Its own store comes between another's load and its next load: the load and the store still race.
//! race y look set
program own_store_between;
scratch u32 y[1];
out u32 x[4];
kernel groups(1) workgroup(4) {
    if lid.x == 1 {
        x[1] = y[0]; // @look
    }
    if lid.x == 2 {
        x[2] = 1;
        y[0] = 4; // @set
        x[3] = y[0];
    }
}
