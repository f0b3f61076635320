// A quotient that is the same for all invocations, used as an index where only some of them come.
//! args --set n=300 --set k=7 --set m=3 --set less=-1 --in a=random:1:0:100 --in b=random:2:0:100
//! out wrong: 0
//! order-free yes
program quotients;

param u32 n;
param u32 k;
param u32 m;
param i32 less;
in u32 a[n];
in u32 b[n];
scratch u32 d[n];
out u32 wrong[1];

kernel (n) {
    let v = gid.x;
    if a[v] > 50 {
        d[v] = b[k % max(m, 1)];
        if a[v] < 80 {
            d[v] += b[i32(k) / less + 9];
        }
        if a[v] % 2 == 0 {
            d[v] += b[u64(k) * 9 / u64(m)];
        }
    }
    grid_barrier;
    var u32 wanted = 0;
    if a[v] > 50 {
        wanted = b[1] + select(a[v] < 80, b[2], 0) + select(a[v] % 2 == 0, b[21], 0);
    }
    if d[v] != wanted {
        atomic_add(wrong[0], 1);
    }
}
