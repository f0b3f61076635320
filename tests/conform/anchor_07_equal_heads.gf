// With one head for all, those that are done only wait: the sequential answer.
//! args --set groups=3
//! out y: 1 2 3
//! order-free yes
program anchor07_equal;

param u32 groups;
out   u32 y[groups];

kernel groups (groups) workgroup(4) {
    var u32 k = 0;
    var bool more = true;
    while more {
        if k < wid.x + 1 && lid.x == 0 { y[wid.x] += 1; }
        k += 1;
        more = grid_any(k < wid.x + 1);
    }
}
