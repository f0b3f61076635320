// An and-reduction over a workgroup by halving with barriers in a loop, and by group_all.
//! args --in x=1,1,0,1
//! out y: 0 0
//! order-free yes
//! case all
//! args --in x=1,1,1,1
//! out y: 1 1
//! case first
//! args --in x=0,1,1,1
//! out y: 0 0
//! case eight
//! args --in x=1,1,1,1,1,1,1,1
//! out y: 1 1
//! case last of eight
//! args --in x=1,1,1,1,1,1,1,0
//! out y: 0 0
//! case three
//! args --in x=1,1,1
//! out y: 1 1
program anchor22;

in     u32 x[];
out    u32 y[2];
shared u32 w[8];

kernel groups (1) workgroup(8) {
    w[lid.x] = 1;
    var bool mine = true;
    if lid.x < len(x) { w[lid.x] = x[lid.x]; mine = x[lid.x] != 0; }
    var u32 width = 4;
    barrier;
    while width > 0 {
        if lid.x < width { w[lid.x] = w[lid.x] & w[lid.x + width]; }
        width /= 2;
        barrier;
    }
    let all = group_all(mine);
    if lid.x == 3 { y[0] = w[0]; y[1] = u32(all); }
}
