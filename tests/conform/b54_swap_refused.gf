// Buffers of two types do not trade names.
//! status 1
//! error GF0404
program b54_refused;

out u32 a[2];
out i32 b[2];

kernel (2) workgroup(1) {
    swap(a, b);
}
