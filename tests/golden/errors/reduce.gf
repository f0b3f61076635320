// GF0310: variables of reductions.
program reduce;
param u32 n;
inout u32 x[n];
kernel (n) {
    let fixed = n;
    var bool any = false;
    var f32 sum = 0.0;
    forall i in 0 .. n reduce(add any) { any = true; }
    forall i in 0 .. n reduce(or sum) { sum = 1.0; }
    forall i in 0 .. n reduce(add fixed) { x[i] = 1; }
    forall i in 0 .. n reduce(add x) { x[i] = 1; }
    forall i in 0 .. n reduce(add sum, max sum) { sum = 1.0; }
}
