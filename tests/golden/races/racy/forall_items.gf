// The items of a forall are invocations of their own, of one device loop or not.
//! race y read write
program forall_items;
scratch u32 y[9];
kernel {
    forall i in 0 .. 8 {
        y[i + 1] = y[i]; // @read @write
    }
}
