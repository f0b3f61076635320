// i as u64: i * 2048 for i = 1,048,576 is 2,147,483,648, and 2^32 times 3 does not wrap either.
//! args --set i=1048576
//! out y: 2147483648 12884901888
//! order-free yes
program anchor47;

param u32 i;
out   u64 y[2];

kernel (1) workgroup(1) {
    y[0] = u64(i) * 2048;
    y[1] = u64(i) * 4096 * 3;
}
