// A while whose condition is a grid operation inside it: each turn the largest element loses one.
//! args --in x=3,0,5,1,4
//! out x: 0 0 0 0 0
//! out turns: 6
//! order-free yes
//! case already zero
//! args --in x=0,0,0
//! out x: 0 0 0
//! out turns: 1
//! case nobody
//! args --in x=fill:0 --size x=0
//! out x:
//! out turns: 0
program b08_any;

inout u32 x[];
out   u32 turns[1];

kernel (len(x)) workgroup(2) {
    let v = gid.x;
    var u32 t = 0;
    var bool more = true;
    while more {
        let mine = x[v] > 0;
        if mine { x[v] -= 1; }
        more = grid_any(mine);
        t += 1;
    }
    if v == 0 { turns[0] = t; }
}
