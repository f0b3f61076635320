// GF0314: forced control flow where it cannot be.
program missing_all;
param u32 n;
inout u32 x[n];
kernel (n) {
    forall i in 0 .. n {
        grid if n == 1 { x[i] = 1; }
        group while n == 2 { x[i] = 1; }
    }
}
