//! args --set n=10 --in x=1,0,1,1,0,0,0,0,1,1
// A value of a workgroup that has returned as a whole before the cut, waited for behind it.
program found;

param u32 n;
in u32 x[n];
out u32 a[n];
out u32 b[n];

kernel (n) workgroup(4) {
    if x[gid.x] == 0 {
        return;
    }
    var u32 g = 0;
    group loop {
        g += 1;
        barrier;
        break;
    }
    a[gid.x] = 1;
    grid_barrier;
    b[gid.x] = 1 + a[(gid.x + 1) % n];
    group while g != 1 {
        barrier;
    }
}
