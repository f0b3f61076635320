// An atomic as the bound of a loop, in an assert, as an index and as an argument is done, and once per evaluation.
//! args --set n=3
//! out turns: 6
//! out c: 3 6 5 1
//! out at: 1 1 1 1 1 1 0 0
//! order-free no
program b24;

param u32 n;
out   u32 turns[1];
out   u32 c[4];
out   u32 at[8];

kernel (n) workgroup(2) {
    let v = gid.x;
    grid_barrier;
    for k in 0 .. atomic_add(c[0], 1) + 1 {
        atomic_add(turns[0], 1);
        at[atomic_add(c[1], 1)] = 1;
    }
    grid_barrier;
    if v == 0 {
        assert(atomic_add(c[2], 5) == 0, "was zero");
        let m = max(atomic_add(c[3], 1), 0);
        if m == 1 { c[3] = 100; }
    }
}
