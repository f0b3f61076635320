// Each invocation hands a value on to one far away, and waits for the whole grid: a wait that ends too early shows in
// the sums. For two processes at once on one device.
program together;

param u32 n;
param u32 turns;
inout u32 x[n];
out u32 sum[n];
scratch u32 y[n];

kernel (n) workgroup(256) {
    let v = gid.x;
    var u32 total = 0;
    for i in 0 .. turns {
        y[v] = x[(v + 7919 * (i + 1)) % n] + i;
        grid_barrier;
        x[v] = y[(v + 104729) % n] * 3 + 1;
        total += x[v];
        grid_barrier;
    }
    sum[v] = total;
}
