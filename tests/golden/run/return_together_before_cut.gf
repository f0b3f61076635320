//! args --set n=10
//! out a: 0 0 0 0 9 9 9 9 9 9
//! order-free yes
// The first workgroup returns together in the middle of its count; what the others do behind the cut is not for it, and
// its array `m` need not have been saved.
program return_together_before_cut;

param u32 n;
out u32 a[n];
shared u32 m[4];

kernel (n) workgroup(4) {
    var u32 g = 0;
    m[lid.x] = 0;
    group loop {
        g += 1;
        m[lid.x] += 1;
        group if wid.x == 0 {
            return;
        }
        barrier;
        group if g == 3 {
            break;
        }
    }
    a[gid.x] = g;
    grid_barrier;
    a[gid.x] += m[lid.x];
    group while m[0] != 3 {
        barrier;
    }
    m[lid.x] += g;
    group while g != 3 {
        barrier;
    }
    grid_barrier;
    a[gid.x] += m[lid.x] - g;
    group while m[0] != 6 {
        barrier;
    }
}
