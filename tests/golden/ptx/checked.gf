// ptx: checked
// Faults are noted where they happen, and told behind.
program checked;

param u32 n;
in u32 from[n];
out u32 to[n];

kernel (n) {
    let k = from[gid.x];
    assert(k != 3, "three");
    to[k] = 100 / k + select(k > 0, from[k - 1], 0);
}
