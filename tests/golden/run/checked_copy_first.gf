//! args --set a=2 --set b=2 --in x=iota --checked
//! status 6
//! error GF0706
//! stderr :22: error[GF0706]: invocation 0 is at `x[8]`, which is out of bounds: its length is 8
//! strategies native host
//! case outside the target alone
//! args --set a=9 --set b=0 --in x=iota --checked
//! status 6
//! error GF0706
//! stderr :16: error[GF0706]: invocation 0 is at `y[9]`, which is out of bounds: its length is 5
//! strategies native host
// Of a copy that goes beyond both arrays the source is told: what is stored is loaded before.
program checked_copy_first;

param u32 a;
param u32 b;
in u32 x[8];
out u32 y[5];
kernel {
    copy_async(y, a, x, b, 8, t);
    wait(t);
}
