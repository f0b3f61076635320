// Loops: of 32 bits, which end; of 64, without an end, and with a condition, which look at the stop word.
program turns;

param u32 n;
param u64 most;
in u32 next[n];
out u64 sum[n];

fn u32 last(u32 from) {
    var u32 v = from;
    while next[v] != v {
        v = next[v];
    }
    return v;
}

kernel (n) {
    var u64 s = 0;
    for i in 0 .. gid.x {
        s += u64(next[i]);
    }
    for i in 0 .. most {
        s += i;
    }
    loop {
        if s % 7 == 0 {
            break;
        }
        s += u64(last(gid.x));
    }
    sum[gid.x] = s;
}
