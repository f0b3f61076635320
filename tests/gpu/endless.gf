// Never ends, for the tests of what supervises the cases.
program endless;

out u32 x[1];

kernel (1) workgroup(1) {
    var u32 i = 1;
    while i != 0 {
        i |= 1;
    }
    x[0] = i;
}
