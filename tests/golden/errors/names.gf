// GF0201 GF0202 GF0203: unknown names, names twice, names as what they are not.
program names;
const u32 SIZE = 4;
param u32 n;
in u32 row[n + 1];
out u32 level[n];
fn u32 twice(u32 a) { return 2 * a; }

kernel (n) {
    let v = gid.x;
    let deep = rwo[v];
    let again = rwo[v] + deep;
    level[v] = lvel;
    let a = row;
    let b = twice;
    let c = v[0];
    let d = v(1);
    let e = len(n);
    level = 3;
    let v = 3;
    { let f = 1; }
    level[v] = f;
    atomic_add(twice[0], 1);
}
