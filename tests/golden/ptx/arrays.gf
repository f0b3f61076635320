// Arrays of an invocation: small ones, that share their room; a large one; a workgroup's, with and without a guard.
program arrays;

param u32 n;
inout u32 a[n];

shared u32 near[64];

kernel groups(n / 64) workgroup(64) {
    near[lid.x] = a[gid.x];
    barrier;
    var u32 few[4];
    if a[gid.x] > 3 {
        var u32 some[8];
        some[a[gid.x] % 8] = near[lid.x ^ 1];
        few[0] = some[near[(lid.x + 1) % 64]];
    } else {
        var f64 many[4096];
        many[a[gid.x]] = 0.5;
        few[1] = u32(many[near[a[gid.x]]]);
    }
    a[gid.x] = few[0] + few[1];
}
