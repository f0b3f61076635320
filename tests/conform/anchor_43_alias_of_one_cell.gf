// x = 0; x += 1; { x -= 5 } read through an index of run time that equals it: -4 both ways.
//! args --set at=2
//! out y: -4 -4
program anchor43;

param i32 at;
out   i32 y[2];
scratch i32 x[4];

kernel (1) workgroup(1) {
    x[2] = 0;
    x[2] += 1;
    x[at] -= 5;
    y[0] = x[2];
    y[1] = x[at];
}
