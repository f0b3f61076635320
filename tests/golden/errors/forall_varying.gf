// GF0308 GF0310: values that differ by invocation.
program forall_varying;
param u32 n;
inout u32 x[n];
kernel (n) {
    let v = gid.x;
    var u32 total = 0;
    var u32 mine = v;
    var bool any = false;
    var f32 sum = 0.0;
    let fixed = n;
    forall i in 0 .. n reduce(add total, or any) { x[i] = v + fixed; total += 1; any = true; }
    forall i in 0 .. n reduce(max mine) { mine = i; }
}
