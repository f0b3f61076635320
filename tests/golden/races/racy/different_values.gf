// Two values by one invocation, then one of the two by another: the first store is of another value.
//! race y first other
program different_values;
scratch u32 y[1];
kernel (4) workgroup(2) {
    if gid.x == 0 {
        y[0] = 1; // @first
        y[0] = 2;
    }
    if gid.x == 3 {
        y[0] = 2; // @other
    }
}
