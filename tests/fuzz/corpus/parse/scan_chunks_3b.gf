// The same by chunks: a fixed grid, one grid barrier, each element read twice whatever n is.
program scan_chunks;

const u32 WG = 256;
const u32 GROUPS = 256;                       // a fixed grid: a space of whole workgroups, so that all lanes run
param   u32 n;
in      u32 x[n];
out     u32 y[n];
scratch u32 total[GROUPS];

kernel (GROUPS * WG) workgroup(WG) {
    let t = lid.x;
    let chunk = (n / WG / GROUPS + 1) * WG;
    let lo = min(wid.x * chunk, n);
    let hi = lo + min(chunk, n - lo);

    var u32 sum = 0;
    for i in lo + t .. hi step WG { sum += x[i]; }
    let all = group_add(sum);
    if t == 0 { total[wid.x] = all; }
    grid_barrier;

    var u32 before = 0;
    for i in t .. wid.x step WG { before += total[i]; }
    var u32 carry = group_add(before);        // workgroup-uniform
    for tile in lo .. hi step WG {
        let i = tile + t;
        var u32 a = 0;                        // not select(): it evaluates both sides, an error under --checked
        if i < hi { a = x[i]; }
        let left = group_scan_add(a);
        if i < hi { y[i] = carry + left + a; }
        carry += group_add(a);
    }
}
