// So do the invocations that only pad the last workgroup, and group operations take nothing from them.
//! args --set n=6
//! out y: 10 10 10 10 11 11
//! out k: 3 3 3 3 3 3
//! order-free yes
//! case one
//! args --set n=1
//! out y: 1
//! out k: 3
program b35_padding;

param u32 n;
out   u32 y[n];
out   u32 k[n];

kernel (n) workgroup(4) {
    let v = gid.x;
    var u32 turns = 0;
    var u32 s = 0;
    while turns < 3 {
        s = group_add(v + 1);
        turns += 1;
    }
    y[v] = s;
    k[v] = turns;
}
