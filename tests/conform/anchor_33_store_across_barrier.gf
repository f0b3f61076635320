// if c { m[l] = l }; barrier; out = m[(l + 1) % n]: the neighbour's value for both c.
//! args --set c=true
//! out y: 1 2 3 4 0
//! order-free yes
//! case not
//! args --set c=false
//! out y: 0 0 0 0 0
program anchor33;

param  bool c;
out    u32  y[5];
shared u32  m[5];

kernel groups (1) workgroup(5) {
    let l = lid.x;
    if c { m[l] = l; }
    barrier;
    y[l] = m[(l + 1) % 5];
}
