//! args --set n=10 --in x=1,0,1,1,0,0,0,0,1,1
//! out a: 1 0 1 1 0 0 0 0 1 1
//! out b: 1 0 2 1 0 0 0 0 2 2
//! order-free yes
// The second workgroup has returned before the cut. Behind it, nobody has saved its `g`: it may not wait for a value that
// never comes.
program return_of_workgroup;

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
