// A serial loop is serial: sum[i] = a[i] + sum[i - 1] over ones gives 1, 2, 3.
//! args --in a=1,1,1
//! races no
//! out sum: 1 2 3
program anchor41;

in  u32 a[];
out u32 sum[len(a)];

kernel {
    for i in 0 .. len(a) { sum[i] = a[i] + sum[i - 1]; }
}
