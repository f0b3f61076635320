// A group reduction after some have returned: they count for nothing and nobody waits for them.
//! args --set keep=3
//! out y: 3 3 3 0 0 18 18 18 0 0 33 33 33 0 0
//! order-free yes
//! case nobody stays
//! args --set keep=0
//! out y: 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
//! case only one
//! args --set keep=1
//! out y: 0 0 0 0 0 5 0 0 0 0 10 0 0 0 0
program anchor27;

param u32 keep;
out   u32 y[15];

kernel groups (3) workgroup(5) {
    if lid.x >= keep { return; }
    let s = group_add(gid.x);
    y[gid.x] = s;
}
