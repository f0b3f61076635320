// The same under `groups(5)`: every lane is there.
//! args --in c=fill:1 --size c=64
//! out count: 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5
//! order-free yes
program b51_groups;

in  u32 c[];
out u32 count[32];

kernel groups (5) workgroup(64) {
    if lid.x < 32 { atomic_add(count[lid.x], c[lid.x]); }
}
