// A generated input that no machine holds is refused before it is made.
//! args --set n=1125899906842624 --in a=fill:1
//! status 3
//! error GF0624
program more_than_the_machine_has;

param u64 n;
in u8 a[n];
out u32 c[1];

kernel {
    c[0] = u32(a[n - 1]);
}
