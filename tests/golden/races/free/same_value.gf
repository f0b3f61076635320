// Plain stores of one value into one element do not race.
//! out y: 7
program same_value;
out u32 y[1];
kernel (8) workgroup(2) {
    y[0] = 7;
}
