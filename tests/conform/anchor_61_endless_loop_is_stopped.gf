// loop { if i < 10 { a[i] = 1; break } } with i = 20 never ends: the time limit stops it, with its status.
//! args --set i=20 --timeout 0.3
//! status 7
//! error GF0701
//! case it ends
//! args --set i=2 --timeout 60
//! out a: 0 0 1 0 0 0 0 0 0 0
program anchor61;

param u32 i;
out   u32 a[10];

kernel (1) workgroup(1) {
    loop {
        if i < 10 { a[i] = 1; break; }
    }
}
