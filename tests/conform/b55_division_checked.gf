// A division by zero is an error in checked mode, and has its value without.
//! args --set d=0 --checked
//! status 6
//! error GF0707
//! races no
//! case unchecked
//! args --set d=0
//! out y: 7 0
//! races no
//! case fine
//! args --set d=2 --checked
//! out y: 3 1
program b55_division;

param u32 d;
out   u32 y[2];

kernel (1) workgroup(1) {
    y[0] = 7 / d;
    y[1] = 7 % d;
}
