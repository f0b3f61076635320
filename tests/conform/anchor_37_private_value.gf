// 8 items in groups of 4, h = -1; for k < 8 { if k == 3 && i == 6 { h = k } barrier }; r[i] = h != -1: only item 6.
//! args --set limit=8
//! out r: 0 0 0 0 0 0 1 0
//! order-free yes
//! case too few turns
//! args --set limit=3
//! out r: 0 0 0 0 0 0 0 0
program anchor37;

param   u32 limit;
out     u32 r[8];
scratch u32 t[8];

kernel (8) workgroup(4) {
    let i = gid.x;
    var i32 h = -1;
    for k in 0 .. limit {
        if k == 3 && i == 6 { h = i32(k); }
        t[i] = k;
        grid_barrier;
        if t[7 - i] != k { h = 100; }
        grid_barrier;
    }
    r[i] = u32(h != -1);
}
