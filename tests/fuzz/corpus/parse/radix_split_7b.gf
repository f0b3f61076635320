// Radix sort by one bit a pass, the keys in registers: short, 32 passes of three grid barriers.
program radix_split;

param   u32 n;
inout   u32 key[n];
scratch u32 tmp[n];

kernel (n) {
    let v = gid.x;
    var u32 k = key[v];
    for bit in 0 .. 32 {
        let one = (k >> bit) & 1;
        let ones = grid_scan_add(one);
        let total = grid_add(one);
        tmp[select(one == 1, n - total + ones, v - ones)] = k;
        grid_barrier;
        k = tmp[v];
    }
    key[v] = k;
}
