// The access is in the operand of an atomic on another buffer.
//! race y write read
program atomic_operand_reads;
scratch u32 y[4];
out u32 sum[1];
kernel (4) workgroup(2) {
    y[gid.x] = 1; // @write
    atomic_add(sum[0], y[3 - gid.x]); // @read
}
