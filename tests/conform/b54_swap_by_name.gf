// Two passes of a cycle of two: by name both buffers change in each pass, so that it never converges; where both hold
// the same it converges at once.
//! args --in a=1,2 --in b=3,4
//! out a: 3 4
//! out b: 1 2
//! passes 5
//! converged no
//! case the same in both
//! args --in a=1,2 --in b=1,2
//! out a: 1 2
//! out b: 1 2
//! passes 1
//! converged yes
program b54_name;

inout u32 a[2];
inout u32 b[2];

kernel (2) workgroup(1) fixpoint(5) on (a, b) {
    swap(a, b);
    if gid.x == 5 { a[0] = 1; b[0] = 1; }
}
