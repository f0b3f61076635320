// What a pass changed is found by comparing bytes, not by a hash: each pass flips one bit of one element, and each of
// 64 passes counts, the last bit of the last element too.
//! args --in at=0 --set n=64
//! out at: 64
//! out x: 1 2 4 8 16 32 64 128 256 512 1024 2048 4096 8192 16384 32768 65536 131072 262144 524288 1048576 2097152 4194304 8388608 16777216 33554432 67108864 134217728 268435456 536870912 1073741824 2147483648 1 2 4 8 16 32 64 128 256 512 1024 2048 4096 8192 16384 32768 65536 131072 262144 524288 1048576 2097152 4194304 8388608 16777216 33554432 67108864 134217728 268435456 536870912 1073741824 2147483648
//! passes 65
//! converged yes
program b20;

param u32 n;
inout u32 at[1];
out   u32 x[n];

kernel (n) workgroup(16) fixpoint(1000) on (x) {
    if gid.x == at[0] { x[gid.x] = x[gid.x] ^ (1 << gid.x % 32); }
    grid_barrier;
    if gid.x == 0 && at[0] < n { at[0] += 1; }
}
