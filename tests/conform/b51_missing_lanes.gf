// A condition on `lid` that guards an atomic where the space may cut the last workgroup: the warning.
// Lanes 14 .. 31 of the last workgroup of 270 in 64s do not exist.
//! args --in c=fill:1 --size c=64
//! out count: 5 5 5 5 5 5 5 5 5 5 5 5 5 5 4 4 4 4 4 4 4 4 4 4 4 4 4 4 4 4 4 4
//! stderr GF0321
program b51;

in  u32 c[];
out u32 count[32];

kernel (270) workgroup(64) {
    if lid.x < 32 { atomic_add(count[lid.x], c[lid.x]); }
}
